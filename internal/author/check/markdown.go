package check

import (
	"bytes"
	"regexp"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"
)

// A Page is a Markdown file, taken apart.
type Page struct {
	File     string
	Source   []byte
	Headings []Heading
	Links    []Link
	Blocks   []Block
	Spans    []Text // inline code
	Texts    []Text // prose: no code, no comments
	Comments []Text // the inside of each HTML comment, trimmed
}

// A Heading with the anchor that GitHub gives it.
type Heading struct {
	Level  int
	Text   string
	Anchor string
	Line   int
}

// A Link or an image.
type Link struct {
	Target string
	Line   int
}

// A Block is a fenced code block. Directive is the HTML comment on the line before it, or "".
type Block struct {
	Language  string
	Directive string
	Content   string
	Line      int // of the opening fence
	begin     int // byte offsets of the content in the page
	end       int
}

// A Text is a piece of a page with the line it begins on.
type Text struct {
	Value string
	Line  int
}

var markdown = goldmark.New(goldmark.WithExtensions(extension.GFM))

// Page parses a Markdown file of the tree, once.
func (t *Tree) Page(rel string) (*Page, error) {
	if p, ok := t.pages.Load(rel); ok {
		return p.(*Page), nil
	}
	source, err := t.Read(rel)
	if err != nil {
		return nil, err
	}
	p := parsePage(rel, source)
	t.pages.Store(rel, p)
	return p, nil
}

func parsePage(rel string, source []byte) *Page {
	p := &Page{File: rel, Source: source}
	root := markdown.Parser().Parse(text.NewReader(source))
	line := func(offset int) int { return 1 + bytes.Count(source[:min(offset, len(source))], []byte("\n")) }
	seen := map[string]int{}
	last := 1
	_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		if n.Type() == ast.TypeBlock && n.Lines() != nil && n.Lines().Len() > 0 {
			last = line(n.Lines().At(0).Start)
		}
		switch n := n.(type) {
		case *ast.Heading:
			words := plain(n, source)
			p.Headings = append(p.Headings, Heading{n.Level, words, anchor(words, seen), last})
		case *ast.FencedCodeBlock:
			p.Blocks = append(p.Blocks, block(n, source, line))
			return ast.WalkSkipChildren, nil
		case *ast.CodeBlock:
			return ast.WalkSkipChildren, nil
		case *ast.CodeSpan:
			p.Spans = append(p.Spans, Text{plain(n, source), near(n, last, line)})
			return ast.WalkSkipChildren, nil
		case *ast.Link:
			p.Links = append(p.Links, Link{string(n.Destination), near(n, last, line)})
		case *ast.Image:
			p.Links = append(p.Links, Link{string(n.Destination), near(n, last, line)})
		case *ast.Text:
			last = max(last, line(n.Segment.Start))
			p.Texts = append(p.Texts, Text{string(n.Segment.Value(source)), line(n.Segment.Start)})
		case *ast.HTMLBlock:
			raw := string(n.Lines().Value(source))
			if n.HasClosure() {
				raw += string(n.ClosureLine.Value(source))
			}
			p.html(raw, last)
		case *ast.RawHTML:
			p.html(string(n.Segments.Value(source)), last)
		}
		return ast.WalkContinue, nil
	})
	return p
}

// near gives the line of an inline node: that of its first text, or of the block around it.
func near(n ast.Node, fallback int, line func(int) int) int {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if t, ok := c.(*ast.Text); ok {
			return line(t.Segment.Start)
		}
	}
	return fallback
}

func plain(n ast.Node, source []byte) string {
	var b strings.Builder
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if t, ok := c.(*ast.Text); ok {
			b.Write(t.Segment.Value(source))
			if t.SoftLineBreak() {
				b.WriteByte(' ')
			}
			continue
		}
		b.WriteString(plain(c, source))
	}
	return b.String()
}

func block(n *ast.FencedCodeBlock, source []byte, line func(int) int) Block {
	b := Block{Language: string(n.Language(source)), Content: string(n.Lines().Value(source))}
	switch {
	case n.Lines().Len() > 0:
		b.begin, b.end = n.Lines().At(0).Start, n.Lines().At(n.Lines().Len()-1).Stop
	case n.Info != nil:
		b.begin = n.Info.Segment.Stop + 1
		b.end = b.begin
	}
	b.Line = max(1, line(b.begin)-1)
	above := bytes.Split(source, []byte("\n"))[:b.Line-1]
	if len(above) > 0 {
		if inner := comment.FindSubmatch(above[len(above)-1]); inner != nil {
			b.Directive = strings.TrimSpace(string(inner[1]))
		}
	}
	return b
}

var (
	comment   = regexp.MustCompile(`(?s)<!--(.*?)-->`)
	reference = regexp.MustCompile(`(?i)\b(?:src|href)="([^"]*)"`)
)

func (p *Page) html(raw string, line int) {
	for _, m := range comment.FindAllStringSubmatchIndex(raw, -1) {
		at := line + strings.Count(raw[:m[0]], "\n")
		p.Comments = append(p.Comments, Text{strings.TrimSpace(raw[m[2]:m[3]]), at})
	}
	for _, m := range reference.FindAllStringSubmatch(comment.ReplaceAllString(raw, ""), -1) {
		p.Links = append(p.Links, Link{m[1], line})
	}
}

// anchor gives a heading's anchor as GitHub makes it: lower case, punctuation dropped, spaces to dashes, numbered
// when it repeats.
func anchor(heading string, seen map[string]int) string {
	var b strings.Builder
	for _, r := range strings.ToLower(heading) {
		switch {
		case r == ' ' || r == '-':
			b.WriteByte('-')
		case r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r > 127 && r != '…' && r != '→' &&
			r != '–' && r != '—':
			b.WriteRune(r)
		}
	}
	a := b.String()
	n := seen[a]
	seen[a]++
	if n > 0 {
		return a + "-" + string(rune('0'+n))
	}
	return a
}

// replace gives the page's source with the content of its blocks exchanged: the keys are indices into Blocks.
func (p *Page) replace(content map[int]string) []byte {
	var out bytes.Buffer
	at := 0
	for i, b := range p.Blocks {
		if fresh, ok := content[i]; ok {
			out.Write(p.Source[at:b.begin])
			out.WriteString(fresh)
			at = b.end
		}
	}
	out.Write(p.Source[at:])
	return out.Bytes()
}
