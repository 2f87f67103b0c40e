// Command generate writes what controller-gen makes of a chapter's API types: the deep copies, the CRDs, the role that
// the markers ask for, and the apply configurations.
//
//	go -C scripts/tools run ./generate          writes what has changed
//	go -C scripts/tools run ./generate -check   writes nothing, exits 1 if a file is not what the types give
//
// The pins of scripts/tools/go.mod say which controller-gen, and which code-generator it links for the apply
// configurations. It works on a copy of the types, without what was generated before, so that a file that the types no
// longer give is found as well.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

func main() {
	check := flag.Bool("check", false, "compare instead of write")
	dir := flag.String("dir", "../..", "the folder that has chapters/")
	flag.Parse()

	apis, err := apisBelow(*dir)
	if err != nil {
		fail(err)
	}
	stale := false
	for _, a := range apis {
		different, err := a.regenerate(*check)
		if err != nil {
			fail(err)
		}
		stale = stale || different
	}
	if stale && *check {
		fmt.Println("mend: go -C scripts/tools run ./generate")
		os.Exit(1)
	}
}

// regenerate generates the files of an API anew, says which differ from those on disk, and writes those unless it is to
// check alone.
func (a api) regenerate(check bool) (different bool, err error) {
	before, err := a.generated(a.root)
	if err != nil {
		return false, err
	}
	after, err := a.generate()
	if err != nil {
		return false, fmt.Errorf("%s: %w", a.dir, err)
	}
	names := map[string]bool{}
	for name := range before {
		names[name] = true
	}
	for name := range after {
		names[name] = true
	}
	for _, name := range sorted(names) {
		is, wanted := after[name]
		switch {
		case wanted && bytes.Equal(before[name], is):
			continue
		case check && wanted:
			fmt.Printf("%s is not what the types give\n", name)
		case check:
			fmt.Printf("%s is not what the types give: they give no such file\n", name)
		default:
			if err := replace(filepath.Join(a.root, filepath.FromSlash(name)), is); err != nil {
				return false, err
			}
			fmt.Printf("wrote %s\n", name)
		}
		different = true
	}
	return different, nil
}

// replace writes a file, or removes it when it has no content.
func replace(file string, content []byte) error {
	if content == nil {
		return os.Remove(file)
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return os.WriteFile(file, content, 0o644)
}

func sorted(names map[string]bool) []string {
	var list []string
	for name := range names {
		list = append(list, name)
	}
	slices.Sort(list)
	return list
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
