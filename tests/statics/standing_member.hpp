#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "rodeo/member/host_stepper.hpp"
#include "rodeo/member/rod_arrays.hpp"

namespace rodeo::statics {

/// A member's arrays, at t = 0.
class StandingMember {
 public:
  explicit StandingMember(const MemberSpec& spec)
      : jobs_{{spec, 1}}, arrays_(jobs_), stepper_(jobs_, arrays_.views(), &keep), member_(*kept()) {}

  const MemberSpec& spec() const { return jobs_.front().spec; }
  const MemberArrays& arrays() const { return member_; }

 private:
  static std::optional<MemberArrays>& kept() {
    static std::optional<MemberArrays> arrays;
    return arrays;
  }
  static std::unique_ptr<HostMember> keep(const MemberSpec&, const MemberArrays& arrays) {
    kept().emplace(arrays);
    return nullptr;
  }

  std::vector<MemberJob> jobs_;
  RodArrays<double> arrays_;
  HostStepper stepper_;
  MemberArrays member_;
};

}  // namespace rodeo::statics
