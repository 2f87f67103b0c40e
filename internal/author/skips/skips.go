// Package skips keeps the tests that do not run where they can't, so that no
// test goes quiet unnoticed: one committed list per provider, compared after
// each whole run.
package skips

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Machine begins the reason of a skip that is about the machine ("this machine
// has no Docker engine") and not about the provider. Such skips differ from
// reader to reader, so they are shown and never compared.
const Machine = "this machine"

// Skip is one test that did not run, and why.
type Skip struct {
	// Package is the path below the module, "internal/lab".
	Package string
	Test    string
	Reason  string
}

func (s Skip) String() string { return s.Package + " " + s.Test + ": " + s.Reason }

// Compared reports whether the skip belongs in a committed list.
func (s Skip) Compared() bool { return !strings.HasPrefix(s.Reason, Machine) }

// Reason finds what t.Skip said in the lines that a skipped test printed: go
// test puts the file and the line before it, and "--- SKIP" around it.
func Reason(output []string) string {
	reason := ""
	for _, line := range output {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "=== ") || strings.HasPrefix(line, "--- ") {
			continue
		}
		if at := strings.Index(line, ".go:"); at >= 0 {
			if _, said, ok := strings.Cut(line[at:], ": "); ok {
				line = said
			}
		}
		reason = line
	}
	if reason == "" {
		return "gave no reason"
	}
	return reason
}

// Read loads a committed list. Lines that begin with # are comments.
func Read(file string) ([]string, error) {
	content, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("reading the committed list of skips: %w", err)
	}
	var lines []string
	for line := range strings.Lines(string(content)) {
		line = strings.TrimSpace(line)
		if line != "" && !strings.HasPrefix(line, "#") {
			lines = append(lines, line)
		}
	}
	return lines, nil
}

// Write replaces a committed list with the skips of one run.
func Write(file, provider string, found []Skip) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# Tests that skip on the provider %q, and what they need.\n", provider)
	b.WriteString("# Written by -update of the command that runs the tests, and compared by each whole run.\n")
	for _, line := range lines(found) {
		b.WriteString(line + "\n")
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return fmt.Errorf("making the folder of the lists of skips: %w", err)
	}
	return os.WriteFile(file, []byte(b.String()), 0o644)
}

// Compare says, a line each, what a run skipped that the list does not name
// and what the list names that ran.
func Compare(listed []string, found []Skip) []string {
	var differences []string
	ran := lines(found)
	for _, line := range ran {
		if !slices.Contains(listed, line) {
			differences = append(differences, "skipped, and not in the list: "+line)
		}
	}
	for _, line := range listed {
		if !slices.Contains(ran, line) {
			differences = append(differences, "in the list, and not skipped: "+line)
		}
	}
	return differences
}

func lines(found []Skip) []string {
	var out []string
	for _, s := range found {
		if s.Compared() {
			out = append(out, s.String())
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
