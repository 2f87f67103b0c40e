// Command plots draws the picture at the top of docs/numbers.md: what the informer of chapter 07 does in a second and
// what it keeps, against the number of objects.
//
//	go -C scripts/tools run ./plots          writes docs/numbers.svg, if it has changed
//	go -C scripts/tools run ./plots -check   writes nothing, exits 1 if it is not what the page gives
//
// The same page gives the same bytes on every machine.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

const (
	numbers = "docs/numbers.md"
	picture = "docs/numbers.svg"
)

func main() {
	check := flag.Bool("check", false, "compare instead of write")
	root := flag.String("root", "../..", "the repository")
	flag.Parse()
	text, err := os.ReadFile(filepath.Join(*root, numbers))
	if err != nil {
		fail(err)
	}
	svg, err := plots(text)
	if err != nil {
		fail(fmt.Errorf("%s: %w", numbers, err))
	}
	target := filepath.Join(*root, picture)
	old, err := os.ReadFile(target)
	switch {
	case err == nil && bytes.Equal(old, svg):
	case *check:
		fmt.Printf("%s is not what %s gives\nmend: go -C scripts/tools run ./plots\n", picture, numbers)
		os.Exit(1)
	default:
		if err := os.WriteFile(target, svg, 0o644); err != nil {
			fail(err)
		}
		fmt.Println("wrote", picture)
	}
}

// plots draws what the page says of the informer.
func plots(page []byte) ([]byte, error) {
	throughput, err := linesOf(page, "Sync", "sec/op",
		[]source{{"objects", ", of ready objects"}, {"http", ", of JSON"}},
		func(objects, seconds float64) float64 { return objects / seconds })
	if err != nil {
		return nil, err
	}
	heap, err := linesOf(page, "Heap", "heapB/object", []source{{"objects", ""}},
		func(_, bytes float64) float64 { return bytes })
	if err != nil {
		return nil, err
	}
	left, err := panel("objects of the first list, a second", throughput...)
	if err != nil {
		return nil, err
	}
	right, err := panel("bytes kept for an object, besides it", heap...)
	if err != nil {
		return nil, err
	}
	return sideBySide(left, right)
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
