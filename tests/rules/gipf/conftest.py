"""What the tests here are handed."""

from __future__ import annotations

from tests.rules.faces import each_face

face = each_face
