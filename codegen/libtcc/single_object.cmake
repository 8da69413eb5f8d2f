# single_object.cmake -- the static library's one object, which shows only the public names.
#
# Hidden visibility means nothing inside an archive: every vf_ name that two of our files share
# would be global in a host's link. So all objects become one, and names that no header
# declares VF_API become local.
#
# Sets  viewfold_single_object   what the static library is made of
#       viewfold_have_single_object   whether it is that
#
# An instrumented build keeps its objects apart: sanitizers and gcov register their own
# sections by object. libtcc stays isolated there too.

set(names "")
foreach(header viewfold.h viewfold_dlpack.h)
	set(header "${PROJECT_SOURCE_DIR}/include/${header}")
	set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${header}")
	file(STRINGS "${header}" declarations REGEX "^VF_API ")
	foreach(line IN LISTS declarations)
		if(line MATCHES "^VF_API [^(]*[ *](vf_[A-Za-z0-9_]+)\\(")
			string(APPEND names "${CMAKE_MATCH_1}\n")
		endif()
	endforeach()
endforeach()
file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/public-names.txt" CONTENT "${names}" @ONLY)
file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/viewfold.def" CONTENT "EXPORTS\n${names}" @ONLY) # what a DLL shows

set(viewfold_have_single_object OFF)
if(VIEWFOLD_SANITIZE OR VIEWFOLD_FUZZ OR VIEWFOLD_COVERAGE OR NOT CMAKE_OBJCOPY OR APPLE OR WIN32)
	set(viewfold_single_object $<TARGET_OBJECTS:viewfold_objects> ${viewfold_libtcc_object})
	return()
endif()
set(viewfold_have_single_object ON)

# As in isolate.cmake: functions that each object brings along become ordinary ones.
execute_process(COMMAND "${CMAKE_LINKER}" --help OUTPUT_VARIABLE help ERROR_QUIET)
set(whole_groups "")
if(help MATCHES "--force-group-allocation")
	set(whole_groups --force-group-allocation)
endif()

set(viewfold_single_object "${PROJECT_BINARY_DIR}/viewfold-single.o")
add_custom_command(OUTPUT "${viewfold_single_object}"
	COMMAND "${CMAKE_LINKER}" -r ${whole_groups} -o "${viewfold_single_object}.all"
		$<TARGET_OBJECTS:viewfold_objects> ${viewfold_libtcc_object}
	COMMAND "${CMAKE_OBJCOPY}" "--keep-global-symbols=${PROJECT_BINARY_DIR}/public-names.txt"
		"${viewfold_single_object}.all" "${viewfold_single_object}"
	COMMAND "${CMAKE_COMMAND}" -E rm "${viewfold_single_object}.all"
	DEPENDS $<TARGET_OBJECTS:viewfold_objects> ${viewfold_libtcc_object} "${PROJECT_BINARY_DIR}/public-names.txt"
	COMMENT "Making one object of the library" COMMAND_EXPAND_LISTS VERBATIM)
set_source_files_properties("${viewfold_single_object}" PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
