"""test_tool.py -- `viewfold run` on .npy files gives NumPy's bytes, for random chains.

Chains come from the oracle's dump program (VF_DUMP_PROGRAM, or the one built beside the tool).
Inputs are written in C order, Fortran order and the other byte order in turn; those of view(),
which asks for strides, in C order. VF_TOOL_CASES
says how many (250); VF_SEED which.
"""

import os
import subprocess
import sys
import tempfile

import numpy as np

from cases import read_cases
from compare import numpy_complaint

TOOL = os.environ["VIEWFOLD"]
PROGRAM = os.environ.get("VF_DUMP_PROGRAM") or os.path.join(os.path.dirname(TOOL), "tests", "numpy.oracle_dump")
SKIPPED = 77


def as_stored(array, way):
    """The array as a file may hold it: C order, Fortran order, bytes swapped."""
    if way == 1 and array.ndim > 1:
        return np.asfortranarray(array)
    if way == 2 and array.dtype.kind in "iufc":
        return array.astype(array.dtype.newbyteorder())
    return np.array(array, order="C")


def run_tool(case, directory, way):
    """What is wrong with the tool's answer, or None."""
    inputs = []
    for name, view in case.arrays.items():
        path = os.path.join(directory, name + ".npy")
        np.save(path, as_stored(view.array, way))
        inputs.append("%s=%s" % (name, path))
    out = os.path.join(directory, "out.npy")
    done = subprocess.run([TOOL, "run", case.text, *inputs, "-o", out], capture_output=True, check=False)
    if done.returncode != 0:
        return "exit %d: %s" % (done.returncode, done.stderr.decode("utf-8", "replace").strip())
    result = np.load(out)
    if result.dtype != case.dtype:
        return "dtype %s, not %s" % (result.dtype, case.dtype)
    return case.complaint(result.shape, result.tobytes())


def usable(case):
    """as_strided looks at the storage and view() at strides, which a file does not keep for strided leaves."""
    strided = any(not view.array.flags.c_contiguous for view in case.arrays.values())
    return "as_strided" not in case.text and not (strided and "view(" in case.text)


def main():
    if not os.path.exists(PROGRAM):
        print("%s is not there" % PROGRAM)
        return SKIPPED
    count = int(os.environ.get("VF_TOOL_CASES", "250"))
    seed = os.environ.get("VF_SEED", "3")
    done = failures = 0
    with tempfile.TemporaryDirectory() as directory:
        subprocess.run([PROGRAM, directory, str(count), seed], check=True)
        for case in filter(usable, read_cases(directory)):
            way = done % 3 if "view(" not in case.text else 0
            complaint = numpy_complaint(case) or run_tool(case, directory, way)
            done += 1
            if complaint is None:
                continue
            failures += 1
            if failures <= 10:
                order = ("C order", "Fortran order", "swapped bytes")[way]
                print("case %d (%s): %s\n  %s\n  %s" % (case.number, order, case.text, case.declarations(), complaint))
    print("%d chains through the tool, %d differ from NumPy %s" % (done, failures, np.__version__))
    return 1 if failures or not done else 0


if __name__ == "__main__":
    sys.exit(main())
