# Shared by the interface packages of this tree. It lies in the package that is released, which builds from its own
# folder alone; those in interfaces/ are subsets for the set-up and are built in this tree only.

option(PYTHON_INTERFACES_ONLY "Generate only what rclpy with Fast DDS needs; halves the build time" OFF)

# Take the generators nobody asks for out of the list that rosidl_generate_interfaces works through. To be
# called after every find_package, because each of them may add generators.
macro(keep_only_wanted_generators)
  if(PYTHON_INTERFACES_ONLY)
    # Fast DDS serialises with one type support and describes the type with the other (introspection).
    set(wanted rosidl_generator_type_description rosidl_generator_c rosidl_generator_py rosidl_typesupport_c
      rosidl_typesupport_fastrtps_c rosidl_typesupport_introspection_c)
    list(JOIN wanted "|" wanted)
    list(FILTER AMENT_EXTENSIONS_rosidl_generate_idl_interfaces INCLUDE REGEX "^(${wanted}):")
  endif()
endmacro()

# Compile the C++ sources of a target in batches: they include the same large headers.
function(compile_in_one_go)
  if(PYTHON_INTERFACES_ONLY)
    set(targets ${PROJECT_NAME}__rosidl_typesupport_fastrtps_c ${PROJECT_NAME}__rosidl_typesupport_c)
    set_target_properties(${targets} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 8)
  endif()
endfunction()

# ROS wheels from pip carry include paths of the machine they were built on, which CMake refuses. Drop those
# that do not exist; where ROS is installed properly all exist and nothing changes. To be called after
# rosidl_generate_interfaces, which imports further targets.
function(drop_missing_include_directories)
  get_property(targets DIRECTORY PROPERTY IMPORTED_TARGETS)
  foreach(target IN LISTS targets)
    get_target_property(directories ${target} INTERFACE_INCLUDE_DIRECTORIES)
    if(directories)
      set(kept "")
      foreach(directory IN LISTS directories)
        if(NOT IS_ABSOLUTE "${directory}" OR EXISTS "${directory}")
          list(APPEND kept "${directory}")
        endif()
      endforeach()
      set_target_properties(${target} PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${kept}")
    endif()
  endforeach()
endfunction()
