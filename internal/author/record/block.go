package record

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
)

// A Block is a piece of recorded output in a file.
type Block struct {
	File     string // relative to the root
	Line     int    // of the directive
	Command  string
	From, To string // both empty: the whole output
	Content  string // what is recorded now

	begin, end int // byte offsets of the content
}

var (
	directive = regexp.MustCompile(`^<!-- recorded: (.+?)(?: from "(.*?)" to "(.*?)")? -->\s*$`)
	fence     = regexp.MustCompile("^(```+|~~~+)")
)

// Blocks finds the recorded blocks of a file's source.
func Blocks(file string, source []byte) ([]Block, error) {
	lines := strings.SplitAfter(string(source), "\n")
	var blocks []Block
	at := 0
	inside := "" // the fence of an ordinary block: what looks like a directive in there is an example
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		at += len(line)
		if f := fence.FindString(line); f != "" {
			switch inside {
			case "":
				inside = f
			case f:
				inside = ""
			}
			continue
		}
		m := directive.FindStringSubmatch(strings.TrimRight(line, "\n"))
		if m == nil || inside != "" {
			continue
		}
		b := Block{File: file, Line: i + 1, Command: m[1], From: m[2], To: m[3]}
		if filepath.Ext(file) == ".txt" {
			b.begin, b.end = at, len(source)
			b.Content = string(source[b.begin:b.end])
			return append(blocks, b), nil
		}
		if i+1 >= len(lines) || fence.FindString(lines[i+1]) == "" {
			return nil, fmt.Errorf("%s:%d: no ```text block follows on the next line", file, i+1)
		}
		f := fence.FindString(lines[i+1])
		at += len(lines[i+1])
		b.begin = at
		for i += 2; ; i++ {
			if i >= len(lines) {
				return nil, fmt.Errorf("%s:%d: the block does not end", file, b.Line)
			}
			if strings.TrimRight(lines[i], "\n") == f {
				b.end = at
				at += len(lines[i])
				break
			}
			at += len(lines[i])
		}
		b.Content = string(source[b.begin:b.end])
		blocks = append(blocks, b)
	}
	return blocks, nil
}

// Find gives the recorded blocks of the files below root whose chapter begins with one of the prefixes; without any
// prefix those of all pages, the docs' included.
func Find(root string, prefixes ...string) ([]Block, error) {
	var files []string
	for _, pattern := range []string{"README.md", "CONTRIBUTING.md", "docs/*.md", "docs/images/*.txt",
		"chapters/*/README.md", "chapters/*/UPSTREAM.md"} {
		some, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil {
			return nil, err
		}
		files = append(files, some...)
	}
	sort.Strings(files)
	var out []Block
	for _, f := range files {
		rel, err := filepath.Rel(root, f)
		if err != nil {
			return nil, err
		}
		rel = filepath.ToSlash(rel)
		if !wanted(rel, prefixes) {
			continue
		}
		source, err := os.ReadFile(f)
		if err != nil {
			return nil, err
		}
		blocks, err := Blocks(rel, source)
		if err != nil {
			return nil, err
		}
		out = append(out, blocks...)
	}
	return out, nil
}

// wanted says whether a file belongs to one of the chapters: its lesson, or a picture named after it.
func wanted(rel string, prefixes []string) bool {
	for _, p := range prefixes {
		for _, dir := range []string{"chapters/", "docs/images/"} {
			if strings.HasPrefix(rel, dir+p) {
				return true
			}
		}
	}
	return len(prefixes) == 0
}

// Rewrite gives the source with the content of a file's blocks replaced, in their order.
func Rewrite(source []byte, blocks []Block, fresh []string) []byte {
	var out []byte
	at := 0
	for i, b := range blocks {
		out = append(out, source[at:b.begin]...)
		out = append(out, fresh[i]...)
		at = b.end
	}
	return append(out, source[at:]...)
}

// Part cuts a command's output down to what the block shows.
func (b Block) Part(output string) (string, error) {
	if b.From == "" {
		return strings.TrimRight(output, "\n") + "\n", nil
	}
	begin := -1
	lines := strings.SplitAfter(output, "\n")
	for i, line := range lines {
		if begin < 0 && strings.Contains(line, b.From) {
			begin = i
		}
		if begin >= 0 && strings.Contains(line, b.To) {
			return strings.TrimRight(strings.Join(lines[begin:i+1], ""), "\n") + "\n", nil
		}
	}
	text := b.To
	if begin < 0 {
		text = b.From
	}
	return "", fmt.Errorf("%s:%d: `%s` printed no line with %q; it ended with:\n%s", b.File, b.Line,
		b.Command, text, tail(output))
}
