# An overlay port: vcpkg install viewfold --overlay-ports=examples/packaging/vcpkg. It builds the tree it lies in,
# interpreter only: vcpkg has no libtcc.
get_filename_component(SOURCE_PATH "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)

vcpkg_check_features(OUT_FEATURE_OPTIONS features FEATURES tool VIEWFOLD_TOOL)
vcpkg_cmake_configure(
	SOURCE_PATH "${SOURCE_PATH}"
	OPTIONS
		${features}
		-DVIEWFOLD_LIBTCC=OFF
		-DVIEWFOLD_TESTS=OFF
		-DVIEWFOLD_EXAMPLES=OFF
		-DVIEWFOLD_PYTHON_MODULE=OFF
)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(PACKAGE_NAME viewfold CONFIG_PATH lib/cmake/viewfold)
vcpkg_fixup_pkgconfig()
if("tool" IN_LIST FEATURES)
	vcpkg_copy_tools(TOOL_NAMES viewfold AUTO_CLEAN)
endif()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE" "${SOURCE_PATH}/NOTICE")
