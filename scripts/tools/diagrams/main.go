// Command diagrams renders the D2 sources in diagrams/ to the SVG files beside them.
//
//	go -C scripts/tools run ./diagrams          writes what has changed
//	go -C scripts/tools run ./diagrams -check   writes nothing, exits 1 if an SVG is not what its source gives
//
// It takes names without the ending as arguments; without any it renders all of them. style.d2 holds the shared
// classes and is no diagram. The same source gives the same bytes on every machine: fonts come with D2, layout is
// ELK with a fixed seed, and nothing of the date or the machine is in the output.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
)

func main() {
	check := flag.Bool("check", false, "compare instead of write")
	dir := flag.String("dir", "../../diagrams", "the folder with the sources")
	flag.Parse()

	names, err := sources(*dir, flag.Args())
	if err != nil {
		fail(err)
	}
	stale := 0
	for _, name := range names {
		svg, err := render(*dir, name)
		if err != nil {
			fail(fmt.Errorf("diagrams/%s.d2: %w", name, err))
		}
		target := filepath.Join(*dir, name+".svg")
		old, err := os.ReadFile(target)
		if err == nil && bytes.Equal(old, svg) {
			continue
		}
		if *check {
			stale++
			fmt.Printf("diagrams/%s.svg is not what diagrams/%s.d2 gives\n", name, name)
			continue
		}
		if err := os.WriteFile(target, svg, 0o644); err != nil {
			fail(err)
		}
		fmt.Printf("wrote diagrams/%s.svg\n", name)
	}
	if stale > 0 {
		fmt.Println("mend: go -C scripts/tools run ./diagrams")
		os.Exit(1)
	}
}

// sources lists the diagrams to render, by name.
func sources(dir string, args []string) ([]string, error) {
	if len(args) > 0 {
		var names []string
		for _, a := range args {
			names = append(names, strings.TrimSuffix(filepath.Base(a), ".d2"))
		}
		return names, nil
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.d2"))
	if err != nil {
		return nil, err
	}
	var names []string
	for _, f := range files {
		if name := strings.TrimSuffix(filepath.Base(f), ".d2"); name != "style" {
			names = append(names, name)
		}
	}
	sort.Strings(names)
	return names, nil
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
