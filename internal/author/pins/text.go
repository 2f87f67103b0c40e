package pins

import (
	"fmt"
	"regexp"
	"strings"
)

// staging are the modules that are released together with client-go.
var staging = []string{"k8s.io/api", "k8s.io/apiextensions-apiserver", "k8s.io/apimachinery", "k8s.io/client-go"}

// generating are those that the generators of ToolsModule are built from.
var generating = append([]string{"k8s.io/code-generator"}, staging...)

// pattern finds mentions of one pin in a text: its first group is the version.
type pattern struct {
	what string
	in   *regexp.Regexp
	want func(p Pins, image string) []string // the versions that are right
}

var patterns = []pattern{
	// A Kubernetes release with its patch number. Without it ("since v1.31") a version is history.
	{"Kubernetes", regexp.MustCompile(`\b(v1\.[3-9][0-9]\.[0-9]+)\b`), func(p Pins, image string) []string {
		return []string{p.Kubernetes, image}
	}},
	{"Kubernetes's Go modules", regexp.MustCompile(`\b(?:client-go|apimachinery|apiextensions-apiserver|k8s\.io/[a-z-]+)[@ ](v0\.[0-9]+\.[0-9]+)\b`),
		func(p Pins, _ string) []string { return []string{p.ClientGo} }},
	{"controller-runtime", regexp.MustCompile(`\bcontroller-runtime[@ ](v[0-9]+\.[0-9]+\.[0-9]+)\b`),
		func(p Pins, _ string) []string { return []string{p.ControllerRuntime} }},
	{"kind", regexp.MustCompile(`\bkind[@ ](v0\.[0-9]+\.[0-9]+)\b`),
		func(p Pins, _ string) []string { return []string{p.Kind} }},
	{"etcd", regexp.MustCompile(`\betcd(?:/server/v3)?[@ ](v3\.[0-9]+\.[0-9]+)\b`),
		func(p Pins, _ string) []string { return []string{p.Etcd} }},
	{"Go", regexp.MustCompile(`(?:[Nn]eeds? |[Ii]nstall |[Ii]nstalls |[Rr]equires |[Pp]inned.*)Go (1\.[0-9]+)\b`),
		goPin},
	{"Go", regexp.MustCompile(`\bGo (1\.[0-9]+) or (?:later|newer)`), goPin},
	{"Go", regexp.MustCompile(`go-version: *['"]?(1\.[0-9]+)`), goPin},
	{"Go", regexp.MustCompile(`\b(?:golang|devcontainers/go):(?:[0-9]-)?(1\.[0-9]+)`), goPin},
}

func goPin(p Pins, _ string) []string { return []string{p.Go} }

// checkText finds the versions in a text that are not the pinned ones.
func checkText(file, text string, p Pins, image string) []Mismatch {
	var found []Mismatch
	number := 0
	for line := range strings.Lines(text) {
		number++
		if strings.Contains(line, NotAPin) {
			continue
		}
		for _, pattern := range patterns {
			for _, m := range pattern.in.FindAllStringSubmatch(line, -1) {
				if want := pattern.want(p, image); !contains(want, m[1]) {
					found = append(found, Mismatch{file, number, fmt.Sprintf(
						"says %s %s; pinned is %s (a line that says %q is left alone)", pattern.what, m[1], want[0], NotAPin)})
				}
			}
		}
	}
	return found
}

func contains(versions []string, v string) bool {
	for _, known := range versions {
		if known == v {
			return true
		}
	}
	return false
}
