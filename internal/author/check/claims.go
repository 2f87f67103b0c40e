package check

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

const claimsFile = "docs/claims.yaml"

// A Claim is one entry of docs/claims.yaml.
type Claim struct {
	ID       string   `yaml:"id"`
	Chapters []string `yaml:"chapters"`
	Claim    string   `yaml:"claim"`
	Verdict  string   `yaml:"verdict"`
	Actually string   `yaml:"actually"`
	line     int
}

// Claims is the whole file: the claims of the chapters that exist, and the ids of those that are planned.
type Claims struct {
	Chapters []string            `yaml:"chapters"`
	Claims   []Claim             `yaml:"claims"`
	Planned  map[string][]string `yaml:"planned"`
}

var (
	idForm   = regexp.MustCompile(`^(?:S\d|B|C)-\d+$`)
	verdicts = []string{"wrong", "outdated", "simplified", "holds", "concept"}
)

// idParts gives an id's kind and its number: "S0", 5.
func idParts(id string) (kind string, number int) {
	kind, digits, _ := strings.Cut(id, "-")
	number, _ = strconv.Atoi(digits)
	return kind, number
}

// compareIDs orders ids by kind, and then by number.
func compareIDs(a, b string) int {
	kindA, numberA := idParts(a)
	kindB, numberB := idParts(b)
	return cmp.Or(cmp.Compare(kindA, kindB), cmp.Compare(numberA, numberB))
}

// FreeIDs gives, for each kind of id, the one above the highest that docs/claims.yaml has, what is planned included.
func FreeIDs(t *Tree) ([]string, error) {
	claims, err := loadClaims(t)
	if err != nil {
		return nil, err
	}
	highest := map[string]int{}
	for id := range claims.known() {
		kind, number := idParts(id)
		highest[kind] = max(highest[kind], number)
	}
	var free []string
	for _, kind := range slices.Sorted(maps.Keys(highest)) {
		free = append(free, fmt.Sprintf("%s-%02d", kind, highest[kind]+1))
	}
	return free, nil
}

// concept says whether an id names a concept (S) and not a claim (B, C).
func concept(id string) bool { return id[0] == 'S' }

func loadClaims(t *Tree) (*Claims, error) {
	source, err := t.Read(claimsFile)
	if err != nil {
		return nil, err
	}
	var c Claims
	d := yaml.NewDecoder(bytes.NewReader(source))
	d.KnownFields(true)
	if err := d.Decode(&c); err != nil {
		return nil, fmt.Errorf("%s: %w", claimsFile, err)
	}
	for i, line := range bytes.Split(source, []byte("\n")) {
		for j := range c.Claims {
			if bytes.Contains(line, []byte("id: "+c.Claims[j].ID)) && c.Claims[j].line == 0 {
				c.Claims[j].line = i + 1
				break
			}
		}
	}
	return &c, nil
}

// known gives all ids, those of planned chapters included.
func (c *Claims) known() map[string]bool {
	out := map[string]bool{}
	for _, x := range c.Claims {
		out[x.ID] = true
	}
	for _, ids := range c.Planned {
		for _, id := range ids {
			out[id] = true
		}
	}
	return out
}

// faults gives what is wrong with the file itself.
func (c *Claims) faults(t *Tree) []Finding {
	var found []Finding
	add := func(line int, what, mend string) { found = append(found, Finding{claimsFile, line, what, mend}) }
	seen := map[string]bool{}
	for _, x := range c.Claims {
		if !idForm.MatchString(x.ID) {
			add(x.line, fmt.Sprintf("%q is no id", x.ID), "an id is S0-01, B-01 or C-01")
			continue
		}
		if seen[x.ID] {
			add(x.line, x.ID+" stands here twice", "remove one; a claim may have several chapters")
		}
		seen[x.ID] = true
		if x.Claim == "" || !slices.Contains(verdicts, x.Verdict) {
			add(x.line, x.ID+" lacks its claim or its verdict", fmt.Sprintf("the verdict is one of %v", verdicts))
		}
		if x.Actually == "" && x.Verdict != "concept" && x.Verdict != "holds" {
			add(x.line, x.ID+" does not say what really happens", "write `actually:`")
		}
		if len(x.Chapters) == 0 {
			add(x.line, x.ID+" has no chapter", "write `chapters: [NN-name]`")
		}
		for _, chapter := range x.Chapters {
			if !slices.Contains(c.Chapters, chapter) {
				add(x.line, fmt.Sprintf("%s names chapter %q, which the list of chapters does not have", x.ID, chapter),
					"mend the name, or add it to `chapters:` at the top")
			}
		}
	}
	for _, chapter := range t.Chapters() {
		if !slices.Contains(c.Chapters, chapter) {
			add(0, "the list of chapters lacks "+chapter, "add it to `chapters:` at the top, and to docs/syllabus.md")
		}
		for _, id := range c.Planned[chapter] {
			if !seen[id] {
				add(0, fmt.Sprintf("%s is planned for %s, which now exists", id, chapter),
					"move it from `planned:` to `claims:` with its claim and verdict")
			}
		}
	}
	return found
}
