"""The Python module that was built, in the folder VIEWFOLD_PYTHONPATH. A test that imports this ends as skipped where there
is none."""
import importlib
import os
import sys

import numpy as np

if not os.environ.get("VIEWFOLD_PYTHONPATH"):
    print("no Python module was built: VIEWFOLD_PYTHONPATH is not set")
    sys.exit(77)
sys.path.insert(0, os.environ["VIEWFOLD_PYTHONPATH"])
import viewfold as vf  # noqa: E402


def optional(name):
    """A module that may be missing: None then."""
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def compile_at_once():
    """Compile each chain when it is first met, where libtcc is there; one that runs once would be interpreted."""
    vf.set_options(engine="jit")
    try:
        vf.asarray(np.arange(6)).reshape(2, 3).T.numpy()
    except RuntimeError:
        vf.set_options(engine="auto")
