"""A recipe for Conan 2: conan create examples/packaging/conan. It builds the tree it lies in.

Interpreter only, as vcpkg's port: Conan has no libtcc. Static unless -o "viewfold/*:shared=True".
"""
import os

from conan import ConanFile
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout
from conan.tools.files import copy

ROOT = os.path.join("..", "..", "..")


class Viewfold(ConanFile):
    name = "viewfold"
    version = "0.1.0"
    license = "MIT"
    description = "Lazy views of arrays, folded into one map and moved once"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False], "fPIC": [True, False]}
    default_options = {"shared": False, "fPIC": True}
    languages = ["C"]
    package_type = "library"
    implements = ["auto_shared_fpic"]

    def export_sources(self):
        root = os.path.join(self.recipe_folder, ROOT)
        for pattern in ("CMakeLists.txt", "LICENSE", "NOTICE", "include/*", "src/*", "codegen/*"):
            copy(self, pattern, root, self.export_sources_folder)

    def layout(self):
        cmake_layout(self)

    def generate(self):
        toolchain = CMakeToolchain(self)
        for name in ("LIBTCC", "TOOL", "TESTS", "EXAMPLES", "PYTHON_MODULE"):
            toolchain.cache_variables[f"VIEWFOLD_{name}"] = False
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()
        for name in ("LICENSE", "NOTICE"):
            copy(self, name, self.source_folder, os.path.join(self.package_folder, "licenses"))

    def package_info(self):
        self.cpp_info.set_property("cmake_find_mode", "none")  # it brings its own viewfold-config.cmake
        self.cpp_info.builddirs = [os.path.join("lib", "cmake", "viewfold")]
        self.cpp_info.libs = ["viewfold"]
        if self.settings.os in ("Linux", "FreeBSD"):
            self.cpp_info.system_libs = ["m", "pthread"]
