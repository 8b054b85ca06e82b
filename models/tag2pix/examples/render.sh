#!/bin/sh
# Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for licence information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Renders the drawings (needs rsvg-convert) and a small JPEG (needs Pillow).
set -e
cd "$(dirname "$0")"
for f in 0*.svg; do rsvg-convert "$f" -o "${f%.svg}.png"; done
${PYTHON:-python3} - <<'PY'
from PIL import Image
small = Image.open("03-boy.png").convert("L").resize((160, 160), Image.Resampling.BOX)
small.save("03-boy-small.jpg", quality=80)
PY
