package main

import (
	"bytes"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

const root = "../.."

// rule is one target of the Makefile and its recipe, with continued lines joined.
type rule struct {
	target string
	recipe []string
}

func rules(t *testing.T) []rule {
	t.Helper()
	makefile, err := os.ReadFile(filepath.Join(root, "Makefile"))
	if err != nil {
		t.Fatal(err)
	}
	target := regexp.MustCompile(`^([a-z-]+):`)
	var all []rule
	for line := range strings.Lines(strings.ReplaceAll(string(makefile), "\\\n", " ")) {
		if recipe, ok := strings.CutPrefix(line, "\t"); ok {
			last := &all[len(all)-1]
			last.recipe = append(last.recipe, strings.TrimSpace(recipe))
		} else if m := target.FindStringSubmatch(line); m != nil {
			all = append(all, rule{target: m[1]})
		}
	}
	return all
}

func TestEveryTargetIsOneCallOfAGoMain(t *testing.T) {
	call := regexp.MustCompile(`^@go run (\./scripts/[a-z-]+)( |$)`)
	found := rules(t)
	if len(found) < 10 {
		t.Fatalf("found %d targets in the Makefile: has its layout changed?", len(found))
	}
	for _, r := range found {
		if len(r.recipe) != 1 || strings.ContainsAny(r.recipe[0], ";|&`") {
			t.Errorf("make %s is not one command: %q", r.target, r.recipe)
			continue
		}
		m := call.FindStringSubmatch(r.recipe[0])
		if m == nil {
			t.Errorf("make %s does not begin with `@go run ./scripts/NAME`: %s", r.target, r.recipe[0])
			continue
		}
		if !isMain(filepath.Join(root, m[1])) {
			t.Errorf("make %s calls %s, where no Go main is", r.target, m[1])
		}
	}
}

func isMain(dir string) bool {
	files, _ := filepath.Glob(filepath.Join(dir, "*.go"))
	for _, file := range files {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.PackageClauseOnly)
		if err == nil && parsed.Name.Name == "main" && !strings.HasSuffix(file, "_test.go") {
			return true
		}
	}
	return false
}

func TestHelpListsEveryTarget(t *testing.T) {
	listed := map[string]bool{}
	for _, g := range groups {
		for _, c := range g.commands {
			words := strings.Fields(c.typed)
			if words[0] == "make" {
				listed[words[1]] = true
				continue
			}
			if words[0] != "go" || words[1] != "run" || !isMain(filepath.Join(root, words[2])) {
				t.Errorf("help lists %q, and no Go main is there", c.typed)
			}
		}
	}
	for _, r := range rules(t) {
		if !listed[r.target] {
			t.Errorf("the Makefile has %s, and help does not list it", r.target)
		}
		delete(listed, r.target)
	}
	for target := range listed {
		t.Errorf("help lists make %s, which the Makefile does not have", target)
	}
}

func TestHelpFitsATerminal(t *testing.T) {
	var out bytes.Buffer
	write(&out)
	for line := range strings.Lines(out.String()) {
		if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > 100 {
			t.Errorf("%d columns: %s", n, line)
		}
	}
}

// TestEveryTargetIsPhony keeps a file named like a target, such as check, from making the target do nothing.
func TestEveryTargetIsPhony(t *testing.T) {
	makefile, err := os.ReadFile(filepath.Join(root, "Makefile"))
	if err != nil {
		t.Fatal(err)
	}
	phony := map[string]bool{}
	for line := range strings.Lines(string(makefile)) {
		if names, ok := strings.CutPrefix(line, ".PHONY:"); ok {
			for _, name := range strings.Fields(names) {
				phony[name] = true
			}
		}
	}
	for _, r := range rules(t) {
		if !phony[r.target] {
			t.Errorf("%s is not .PHONY", r.target)
		}
	}
}
