# The texts of this folder, and core/half.h, as arrays of bytes, NAME.h as standalone_NAME: strings of such
# lengths are not portable.
#
#   viewfold_embed_texts(OUTPUT)
function(viewfold_embed_texts output)
	file(GLOB texts CONFIGURE_DEPENDS "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/*.h")
	list(APPEND texts "${PROJECT_SOURCE_DIR}/src/core/half.h")
	set(all "/* made of codegen/standalone/ by the build */\n")
	foreach(text IN LISTS texts)
		set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${text}")
		get_filename_component(name "${text}" NAME_WE)
		file(READ "${text}" bytes HEX)
		string(REGEX REPLACE "(................................)" "\\1\n\t" bytes "${bytes}")
		string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
		string(APPEND all "static const char standalone_${name}[] = {\n\t${bytes}0};\n")
	endforeach()
	file(CONFIGURE OUTPUT "${output}" CONTENT "${all}" @ONLY)
endfunction()
