package lab

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// partsOf is a JSON object with some of its fields, each whole, on as many lines as they take. An ellipsis stands in
// each object for what it has besides. A body that has none of them, or is no JSON, is one line, to be cut as others
// are.
func partsOf(body string, fields []string) []string {
	var object map[string]any
	d := json.NewDecoder(strings.NewReader(body))
	d.UseNumber()
	if d.Decode(&object) != nil {
		return []string{body}
	}
	var paths [][]string
	for _, f := range fields {
		paths = append(paths, strings.Split(f, "."))
	}
	text := part(object, paths)
	if text == "" {
		return []string{body}
	}
	var lines []string
	for rest := []rune(text); len(rest) > Columns-2; rest = []rune(text) {
		at := strings.LastIndex(string(rest[:Columns-2]), `,"`)
		if at <= 0 {
			break
		}
		lines, text = append(lines, text[:at+1]), text[at+1:]
	}
	return append(lines, text)
}

// part is an object with what the paths lead to, or "" if they lead nowhere.
func part(object map[string]any, paths [][]string) string {
	var members []string
	for _, name := range slices.Sorted(maps.Keys(object)) {
		if value := partOf(object[name], below(paths, name)); value != "" {
			members = append(members, quoted(name)+":"+value)
		}
	}
	switch {
	case len(members) == 0:
		return ""
	case len(members) < len(object):
		members = append([]string{"…"}, members...)
	}
	return "{" + strings.Join(members, ",") + "}"
}

// partOf is what paths lead to in a value: a path that ends here leads to all of it.
func partOf(value any, paths [][]string) string {
	if slices.ContainsFunc(paths, func(p []string) bool { return len(p) == 0 }) {
		return quoted(value)
	}
	object, ok := value.(map[string]any)
	if !ok {
		return ""
	}
	return part(object, paths)
}

// below is how the paths that begin with a name go on.
func below(paths [][]string, name string) (on [][]string) {
	for _, p := range paths {
		if p[0] == name {
			on = append(on, p[1:])
		}
	}
	return on
}

// quoted is a value as JSON, with < and > as they are.
func quoted(value any) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(value) // it was decoded from JSON
	return strings.TrimSpace(b.String())
}
