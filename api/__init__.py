"""The library's face: what `import tengen` offers, and nothing else imports.

The package `tengen` loads these modules when one of their names is first used. Whatever is not listed in
``tengen.__all__`` may change without notice.
"""
