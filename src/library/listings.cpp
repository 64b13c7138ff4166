#include "rodeo/input/key_effects.hpp"
#include "rodeo/input/keys.hpp"
#include "rodeo/input/number_text.hpp"
#include "rodeo/member/status.hpp"
#include "rodeo/rodeo.hpp"

namespace rodeo {

namespace {

std::string_view type_of(const KeyInfo& info) {
  switch (info.type) {
    case ValueType::real:
      return "real";
    case ValueType::integer:
      return "integer";
    case ValueType::choice:
      return "choice";
    case ValueType::real_list:
      return "list";
    case ValueType::text:
      break;
  }
  return "text";
}

}  // namespace

std::vector<KeyText> key_texts() {
  std::vector<KeyText> texts;
  texts.reserve(key_table().size());
  for (const KeyInfo& info : key_table()) {
    KeyText& text = texts.emplace_back();
    text.name = info.name;
    text.type = type_of(info);
    text.unit = info.unit;
    text.default_value = info.default_text;
    text.allowed = allowed_values(info);
    if (!info.choices.empty()) {
      for (const std::string_view word : split(info.choices, '|')) text.choices.emplace_back(word);
    }
    text.repeatable = info.repeatable;
    text.need = own_need(info.key);
    text.text = info.text;
  }
  return texts;
}

std::string_view status_text(std::uint8_t status) {
  return status < member_status_count ? to_string(static_cast<MemberStatus>(status)) : "";
}

bool status_is_good(std::uint8_t status) { return ended_well(static_cast<MemberStatus>(status)); }

}  // namespace rodeo
