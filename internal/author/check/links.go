package check

import (
	"context"
	"fmt"
	"net/url"
	"path"
	"strings"
)

var linksCheck = Check{
	Name:   "links",
	Guards: "links in Markdown lead to a file that is there, and to a heading that it has",
	Run: func(_ context.Context, t *Tree) ([]Finding, error) {
		files, err := t.Match("**/*.md")
		if err != nil {
			return nil, err
		}
		var found []Finding
		for _, file := range files {
			if strings.Contains("/"+file, "/testdata/") || strings.Contains(file, "/templates/") {
				continue
			}
			page, err := t.Page(file)
			if err != nil {
				return nil, err
			}
			for _, link := range page.Links {
				if what, mend := t.follow(file, link.Target); what != "" {
					found = append(found, Finding{file, link.Line, what, mend})
				}
			}
		}
		return found, nil
	},
}

// follow gives what is wrong with a link, or "".
func (t *Tree) follow(from, target string) (what, mend string) {
	u, err := url.Parse(target)
	if err != nil {
		return fmt.Sprintf("the link %q does not parse", target), "write a relative path or a URL"
	}
	if u.Scheme != "" {
		return "", "" // the network is not asked: a check must say the same on every machine
	}
	if strings.HasPrefix(target, "/") {
		return fmt.Sprintf("the link %q begins at a root", target), "make it relative to this file"
	}
	file := from
	if u.Path != "" {
		file = path.Join(path.Dir(from), u.Path)
		if strings.HasPrefix(file, "..") || !t.Exists(file) {
			mend := "mend the path, or make the file"
			if path.Ext(file) == ".svg" && t.Exists(strings.TrimSuffix(file, ".svg")+".d2") {
				mend = "render it: go run ./scripts/check -fix diagrams"
			}
			return fmt.Sprintf("the link %q leads to %s, which is not there", target, file), mend
		}
	}
	if u.Fragment == "" || path.Ext(file) != ".md" {
		return "", ""
	}
	page, err := t.Page(file)
	if err != nil {
		return err.Error(), ""
	}
	var anchors []string
	for _, h := range page.Headings {
		if h.Anchor == u.Fragment {
			return "", ""
		}
		anchors = append(anchors, "#"+h.Anchor)
	}
	if strings.Contains(string(page.Source), `id="`+u.Fragment+`"`) ||
		strings.Contains(string(page.Source), `name="`+u.Fragment+`"`) {
		return "", ""
	}
	if len(anchors) > 12 {
		anchors = append(anchors[:12], "…")
	}
	return fmt.Sprintf("%s has no heading #%s", file, u.Fragment), "it has " + strings.Join(anchors, " ")
}
