# The program and the Python module of a wheel share one library: each alone would bring all kernels.
get_target_property(library rodeo_library SOURCES)
add_library(rodeo_whole SHARED src/main.cpp ${library})
set_source_files_properties(src/main.cpp PROPERTIES COMPILE_OPTIONS -fvisibility=default)  # main() itself
target_link_libraries(rodeo_whole PRIVATE rodeo_dispatch)
target_link_options(rodeo_whole PRIVATE -Wl,--build-id -Wl,--exclude-libs,ALL -Wl,-z,text -Wl,-z,defs)
set_target_properties(rodeo_whole PROPERTIES OUTPUT_NAME rodeo INSTALL_RPATH "$ORIGIN" INSTALL_RPATH_USE_LINK_PATH OFF)

file(WRITE "${CMAKE_BINARY_DIR}/generated/program.cpp" "// main() is in the library.\n")
add_executable(rodeo "${CMAKE_BINARY_DIR}/generated/program.cpp")
target_link_libraries(rodeo PRIVATE rodeo_whole)
set_target_properties(rodeo PROPERTIES INSTALL_RPATH "$ORIGIN")
install(TARGETS rodeo_whole LIBRARY DESTINATION softrods COMPONENT python)
