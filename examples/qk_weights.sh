#!/bin/sh
# A transformer's weights from one safetensors file to another in one pass: the rows of q and k are re-laid from
# interleaved pairs to halves, as rotary embeddings of Hugging Face's models want them; all else goes along as it is.
#
#   VIEWFOLD=build/viewfold sh examples/qk_weights.sh [FOLDER]
#
# The model is a small made one. Every tensor is checked: by the tool, and where Python has safetensors by NumPy.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
tool=${VIEWFOLD:-$here/../build/viewfold}
if [ $# -gt 0 ]; then
	folder=$1
	mkdir -p "$folder"
else
	folder=$(mktemp -d)
	trap 'rm -rf "$folder"' EXIT
fi
cd "$folder"

layers=2 heads=8 kv_heads=2 width=128 head=16 # of each head: 16 rows of q or k
case $("$tool" run x 'x=u8[1]' -o probe.safetensors:x 2>&1 || true) in
*'built without jansson'*) echo 'qk_weights: the tool was built without jansson' && exit 77 ;;
esac

# ---- a model: numbers that count up, so that every row differs -------------------------------------

set -- 'embed=f32[500,128]'
list=embed outputs='-o model.safetensors:embed'
layer=0
while [ $layer -lt $layers ]; do
	for weight in "q f32[$((heads * head)),$width]" "k f32[$((kv_heads * head)),$width]" "v bf16[$((kv_heads * head)),$width]"; do
		name=${weight%% *}$layer
		set -- "$@" "$name=${weight#* }"
		list="$list, $name"
		outputs="$outputs -o model.safetensors:model.layers.$layer.${weight%% *}_proj.weight"
	done
	layer=$((layer + 1))
done
"$tool" run "[$list]" "$@" $outputs

# ---- one pass --------------------------------------------------------------------------------------

halves() { echo "$1.reshape($2, -1, 2, $width).transpose(1, 2).reshape($(($2 * head)), $width)"; }

set -- 'embed=model.safetensors:embed'
list=embed outputs='-o halves.safetensors:embed'
layer=0
while [ $layer -lt $layers ]; do
	for name in q k v; do
		tensor=model.layers.$layer.${name}_proj.weight
		set -- "$@" "$name$layer=model.safetensors:$tensor"
		outputs="$outputs -o halves.safetensors:$tensor"
	done
	list="$list, $(halves q$layer $heads), $(halves k$layer $kv_heads), v$layer"
	layer=$((layer + 1))
done
"$tool" run "[$list]" "$@" $outputs

# ---- what came of it -------------------------------------------------------------------------------

# same WHAT EXPR: the tensor WHAT of the new file holds what EXPR makes of its old self.
same() {
	"$tool" run "$2" "w=model.safetensors:$1" -o wanted.npy
	"$tool" run x "x=halves.safetensors:$1" -o came.npy
	cmp wanted.npy came.npy
}
same embed w
same model.layers.1.q_proj.weight "stack([w.reshape($heads,$((head / 2)),2,$width)[:,:,0], w.reshape($heads,$((head / 2)),2,$width)[:,:,1]], dim=1).reshape($((heads * head)),$width)"
same model.layers.1.k_proj.weight "$(halves w $kv_heads)"
same model.layers.0.v_proj.weight w

for python in "${PYTHON:-}" python3; do
	if [ -n "$python" ] && "$python" -c 'import safetensors, numpy' 2>/dev/null; then
		"$python" - "$heads" "$kv_heads" <<'END'
import sys
import numpy as np
from safetensors import safe_open

heads = {"q": int(sys.argv[1]), "k": int(sys.argv[2])}
with safe_open("model.safetensors", "np") as old, safe_open("halves.safetensors", "np") as new:
    assert set(old.keys()) == set(new.keys()) and len(old.keys()) == 7
    checked = 0
    for name in old.keys():
        if "v_proj" in name: # bf16, which NumPy has not
            continue
        was, is_ = old.get_tensor(name), new.get_tensor(name)
        kind = name.split(".")[-2][0] if "proj" in name else ""
        if kind in heads:
            was = was.reshape(heads[kind], -1, 2, was.shape[1]).swapaxes(1, 2).reshape(was.shape)
        assert np.array_equal(was, is_), name
        checked += 1
print(f"qk_weights: {checked} tensors are what NumPy makes of them, by safetensors for Python")
END
		break
	fi
done
echo "qk_weights: $((1 + 3 * layers)) tensors in one pass"
