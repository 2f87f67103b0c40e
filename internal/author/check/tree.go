package check

import (
	"bytes"
	"context"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
	"sync"
)

// A Tree is the repository, or a small one that a test has made.
type Tree struct {
	Root string
	// Demos says of each chapter what its demo can play, and asks them once. A check's tests say it themselves.
	Demos func(context.Context) map[string]Demo

	once  sync.Once
	files []string
	err   error
	pages sync.Map // path → *Page
}

// NewTree gives the tree below root.
func NewTree(root string) *Tree {
	t := &Tree{Root: root}
	var once sync.Once
	var all map[string]Demo
	t.Demos = func(ctx context.Context) map[string]Demo {
		once.Do(func() { all = t.askDemos(ctx) })
		return all
	}
	return t
}

// Files lists the files, slash-separated and sorted, without what git ignores or nobody edits.
func (t *Tree) Files() ([]string, error) {
	t.once.Do(func() {
		skip := map[string]bool{".git": true}
		if ignored, err := os.ReadFile(t.Path(".gitignore")); err == nil {
			for line := range strings.Lines(string(ignored)) {
				skip[strings.Trim(strings.TrimSpace(line), "/")] = true
			}
		}
		t.err = filepath.WalkDir(t.Root, func(p string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			rel, err := filepath.Rel(t.Root, p)
			if err != nil {
				return err
			}
			rel = filepath.ToSlash(rel)
			if d.IsDir() {
				if skip[rel] {
					return filepath.SkipDir
				}
				return nil
			}
			if d.Type().IsRegular() && !skip[rel] {
				t.files = append(t.files, rel)
			}
			return nil
		})
		sort.Strings(t.files)
	})
	return t.files, t.err
}

// Match lists the files whose path matches one of the patterns. `**` stands for any folders, `*` for a name.
func (t *Tree) Match(patterns ...string) ([]string, error) {
	files, err := t.Files()
	if err != nil {
		return nil, err
	}
	var expressions []*regexp.Regexp
	for _, p := range patterns {
		expressions = append(expressions, glob(p))
	}
	var out []string
	for _, f := range files {
		for _, e := range expressions {
			if e.MatchString(f) {
				out = append(out, f)
				break
			}
		}
	}
	return out, nil
}

func glob(pattern string) *regexp.Regexp {
	q := regexp.QuoteMeta(pattern)
	q = strings.ReplaceAll(q, `\*\*/`, `(?:.*/)?`)
	q = strings.ReplaceAll(q, `\*\*`, `.*`)
	q = strings.ReplaceAll(q, `\*`, `[^/]*`)
	return regexp.MustCompile("^" + q + "$")
}

// Path gives the path on disk of a file of the tree.
func (t *Tree) Path(rel string) string { return filepath.Join(t.Root, filepath.FromSlash(rel)) }

// Read gives a file's content.
func (t *Tree) Read(rel string) ([]byte, error) { return os.ReadFile(t.Path(rel)) }

// Write replaces a file if its content differs, and says whether it did.
func (t *Tree) Write(rel string, content []byte) (bool, error) {
	if old, err := t.Read(rel); err == nil && bytes.Equal(old, content) {
		return false, nil
	}
	if err := os.MkdirAll(filepath.Dir(t.Path(rel)), 0o755); err != nil {
		return false, err
	}
	t.pages.Delete(rel)
	return true, os.WriteFile(t.Path(rel), content, 0o644)
}

// IsDir says whether the tree has this folder.
func (t *Tree) IsDir(rel string) bool {
	info, err := os.Stat(t.Path(rel))
	return err == nil && info.IsDir()
}

// Exists says whether the tree has this file or folder.
func (t *Tree) Exists(rel string) bool {
	_, err := os.Stat(t.Path(rel))
	return err == nil
}

// chapterName matches the folder of a chapter: two digits and a name.
var chapterName = regexp.MustCompile(`^\d\d-[a-z0-9-]+$`)

// Chapters lists the folders below chapters/, sorted: "01-raw-watch" and so on.
func (t *Tree) Chapters() []string {
	entries, err := os.ReadDir(t.Path("chapters"))
	if err != nil {
		return nil
	}
	var out []string
	for _, e := range entries {
		if e.IsDir() && chapterName.MatchString(e.Name()) {
			out = append(out, e.Name())
		}
	}
	return out
}

// chapterOf gives the chapter that a path below chapters/ or solutions/ belongs to, or "".
func chapterOf(p string) string {
	parts := strings.Split(path.Clean(p), "/")
	if len(parts) > 1 && (parts[0] == "chapters" || parts[0] == "solutions") && chapterName.MatchString(parts[1]) {
		return parts[1]
	}
	return ""
}

// prose lists the Markdown files that people wrote: lessons, hints, docs and those at the top.
func (t *Tree) prose() ([]string, error) {
	files, err := t.Match("**/*.md")
	if err != nil {
		return nil, err
	}
	var out []string
	for _, f := range files {
		if !strings.Contains("/"+f, "/testdata/") && !strings.Contains(f, "/templates/") && !generatedDocs[f] {
			out = append(out, f)
		}
	}
	return out, nil
}
