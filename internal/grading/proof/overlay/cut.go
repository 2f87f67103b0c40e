package overlay

import (
	"fmt"
	"go/format"
	"slices"
	"strings"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise/stub"
)

// Cut writes a whole program as an overlay of a base: the header, and the declarations that differ. The header's
// Removes is found here, its Base has to name the base. What Cut gives merges into the same program again, or Cut
// refuses.
func Cut(base, whole *File, h Header) ([]byte, error) {
	if whole.Package != base.Package {
		return nil, fmt.Errorf("%s: package %s, want %s", whole.Path, whole.Package, base.Package)
	}
	same := map[string]bool{}
	for _, d := range base.decls {
		same[d.tokens] = true
	}
	var parts []part
	have := map[string]bool{}
	for _, d := range whole.decls {
		for _, name := range d.names {
			have[name] = true
		}
		if same[d.tokens] {
			continue
		}
		if len(d.names) == 0 {
			return nil, fmt.Errorf("%s:%d: what has no name (init, _) can't stand in an overlay", whole.Path, d.line)
		}
		parts = append(parts, part{whole, d})
	}
	h.Removes = nil
	for _, d := range base.decls {
		if len(d.names) > 0 && !slices.ContainsFunc(d.names, func(name string) bool { return have[name] }) {
			h.Removes = append(h.Removes, d.names[0])
		}
	}
	if len(parts)+len(h.Removes) == 0 {
		return nil, fmt.Errorf("%s is the same program as %s", whole.Path, base.Path)
	}
	text, err := write(whole, h, parts)
	if err != nil {
		return nil, err
	}
	over, err := Parse(whole.Path, text)
	if err != nil {
		return nil, err
	}
	merged, err := Merge(base, over, h.Removes)
	if err != nil {
		return nil, err
	}
	if !stub.Same(merged.Source, whole.Source) {
		return nil, fmt.Errorf("%s can't be cut down to what differs from %s: merged again, it is another program "+
			"(does it import what it does not use?)", whole.Path, base.Path)
	}
	return text, nil
}

// write puts the text of an overlay together.
func write(whole *File, h Header, parts []part) ([]byte, error) {
	used := map[*File]map[string]bool{whole: {}}
	if err := packagesUsed(parts, used); err != nil {
		return nil, err
	}
	var out strings.Builder
	fmt.Fprintf(&out, "%s\n//go:build %s\n\npackage %s\n", h.format(), Tag, whole.Package)
	var imports []string
	for _, spec := range whole.imports {
		if used[whole][spec.name] {
			imports = append(imports, spec.text)
		}
	}
	switch {
	case len(imports) == 1:
		out.WriteString("\nimport " + imports[0] + "\n")
	case len(imports) > 1:
		out.WriteString("\nimport (\n\t" + strings.Join(imports, "\n\t") + "\n)\n")
	}
	for _, p := range parts {
		out.WriteString("\n" + p.decl.text + "\n")
	}
	return format.Source([]byte(out.String()))
}
