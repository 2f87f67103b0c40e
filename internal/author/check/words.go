package check

import (
	"bytes"
	"context"
	"fmt"
	"path"
	"regexp"
	"strings"
	"unicode/utf8"
)

var wordsCheck = Check{
	Name:   "words",
	Guards: "no machine's paths, no registry hosts, no leftover TODO, no words that the voice leaves out",
	Run: func(_ context.Context, t *Tree) ([]Finding, error) {
		files, err := t.Files()
		if err != nil {
			return nil, err
		}
		var found []Finding
		for _, file := range files {
			if skipWords(file) {
				continue
			}
			content, err := t.Read(file)
			if err != nil {
				return nil, err
			}
			if bytes.IndexByte(content, 0) >= 0 || !utf8.Valid(content) {
				continue
			}
			found = append(found, plainWords(file, content)...)
		}
		pages, err := t.prose()
		if err != nil {
			return nil, err
		}
		for _, file := range pages {
			page, err := t.Page(file)
			if err != nil {
				return nil, err
			}
			found = append(found, voice(page)...)
		}
		return found, nil
	},
}

// skipWords names the files whose words are not ours: checksums, rendered pictures, and this check itself.
func skipWords(file string) bool {
	return path.Base(file) == "go.sum" || path.Ext(file) == ".svg" || file == "LICENSE" ||
		file == "internal/author/check/words.go" || file == "internal/author/check/words_test.go" ||
		file == "internal/author/check/stubs_test.go"
}

var (
	machinePath = regexp.MustCompile(`(?:^|[\s"'` + "`" +
		`(=:])(/(?:work|root)/[\w.-]|/tmp/bash_jobs|/(?:home|Users)/[a-z]\w*/)`)
	ourHome  = regexp.MustCompile(`/(?:home|Users)/(?:you|me|runner|vscode|other|user|learner)/`)
	registry = regexp.MustCompile(`\b(?:proxy|sum)\.golang\.org\b|\bregistry\.npmjs\.org\b|\bpypi\.org\b|\bregistry\.k8s\.io\b|\b(?:gcr|ghcr|quay|docker)\.io/`)
	leftover = regexp.MustCompile(`^\s*(?://|#|<!--|\*|- \[ \])\s*(?:TODO|FIXME|XXX)\b`)
	trailing = regexp.MustCompile(`\s//\s*(?:TODO|FIXME|XXX)\b`)
	stubFile = regexp.MustCompile(`^chapters/[^/]+/exercises/[^/]+/exercise\.go$`)
)

// mayShowTodo names where TODO is the subject: stubs, what makes and tests them, and what makes a new chapter.
func mayShowTodo(file string) bool {
	return stubFile.MatchString(file) || strings.HasPrefix(file, "internal/exercise/") ||
		strings.HasPrefix(file, "internal/grading/grader/") || strings.HasPrefix(file, "internal/grading/proof/") ||
		strings.Contains(file, "/testdata/")
}

func plainWords(file string, content []byte) []Finding {
	var found []Finding
	n := 0
	for line := range strings.Lines(string(content)) {
		n++
		if m := machinePath.FindStringSubmatch(line); m != nil && !ourHome.MatchString(line) {
			found = append(found, Finding{file, n, fmt.Sprintf("%q is a path of one machine", m[1]),
				"write a path below the repository, or /home/you/"})
		}
		if m := registry.FindString(line); m != "" {
			found = append(found, Finding{file, n, fmt.Sprintf("%q is a registry's host", m),
				"name the thing, not the host it comes from"})
		}
		if (leftover.MatchString(line) || path.Ext(file) == ".go" && trailing.MatchString(line)) && !mayShowTodo(file) {
			found = append(found, Finding{file, n, "something is left to do",
				"do it, or say in plain words what is missing and why; only the stub of an exercise has TODOs"})
		}
	}
	return found
}

var leftOut = regexp.MustCompile(`(?i)\b(simply|just|obviously|of course|note that|under the hood|powerful|robust|seamless|seamlessly|` +
	`leverages?|leveraging|dive in|journey|let['’]s)\b|!`)

// voice looks for the words that the lessons leave out. Code and recorded output are not prose.
func voice(p *Page) []Finding {
	var found []Finding
	for _, text := range p.Texts {
		if m := leftOut.FindString(text.Value); m != "" {
			found = append(found, Finding{p.File, text.Line, fmt.Sprintf("%q is not said here", strings.ToLower(m)),
				"say what happens instead, or leave the word out"})
		}
	}
	for _, h := range p.Headings {
		if strings.HasSuffix(h.Text, "?") {
			found = append(found, Finding{p.File, h.Line, "a question as a heading", "make it a statement"})
		}
	}
	return found
}
