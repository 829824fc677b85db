"""Give MkDocs the pages of the project under their own paths, so that links between them hold."""

from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parent.parent
PATTERNS = (
    "*.md",
    "config/*.md",
    "benchmarks/*.md",
    "data/**/*.md",
    "docs/*.md",
    "docs/*.css",
    "docs/images/*",
    "LICENSE",
    "CITATION.cff",
)


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Return the theme's files and the project's pages, with paths from the project's folder."""
    pages = sorted(path for pattern in PATTERNS for path in ROOT.glob(pattern))
    of_theme = [file for file in files if file.src_dir != config.docs_dir]
    ours = (
        File(str(path.relative_to(ROOT)), str(ROOT), config.site_dir, config.use_directory_urls)
        for path in pages
    )
    return Files([*of_theme, *ours])
