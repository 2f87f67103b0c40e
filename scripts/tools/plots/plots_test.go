package main

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"
)

// numbersPage is what plots reads of docs/numbers.md.
func numbersPage() string {
	var b strings.Builder
	b.WriteString("# Numbers\n\n## chapters/04-store/store\n\n" +
		"| Sync/source=objects/objects=1000 | sec/op | 1 s ± 1% | 1 s ± 1% | 1 |\n\n" +
		section)
	for i, n := range []int{100_000, 1_000, 10_000} {
		fmt.Fprintf(&b, "| Sync/source=objects/objects=%d | sec/op | %d.5 ms ± 35%% | 1 200 µs ± 9%% | 0.93 |\n", n, 36+i)
		fmt.Fprintf(&b, "| Sync/source=http/objects=%d | sec/op | 196 ms ± 56%% | 1.02 s ± 29%% | 1.60 |\n", n)
		fmt.Fprintf(&b, "| Heap/source=objects/objects=%d | heapB/object | 1 07%d ± 2%% | 124 ± 1%% | 1.15 |\n", n, i)
	}
	return b.String() + "\n## chapters/08-workqueue/workqueue\n"
}

func TestRows(t *testing.T) {
	got, err := rows([]byte(numbersPage()), "Sync/source=objects", "sec/op")
	if err != nil {
		t.Fatal(err)
	}
	want := []row{{1e3, 0.0375, 0.0012}, {1e4, 0.0385, 0.0012}, {1e5, 0.0365, 0.0012}}
	if len(got) != len(want) {
		t.Fatalf("got %v, want %v", got, want)
	}
	for i := range want {
		if got[i].objects != want[i].objects || math.Abs(got[i].ours-want[i].ours) > 1e-9 ||
			math.Abs(got[i].upstream-want[i].upstream) > 1e-9 {
			t.Errorf("row %d is %v, want %v", i, got[i], want[i])
		}
	}
	for name, page := range map[string]string{
		"no section":   "# Numbers\n",
		"no such rows": section,
		"no number":    strings.Replace(numbersPage(), "36.5 ms", "fast", 1),
	} {
		if _, err := rows([]byte(page), "Sync/source=objects", "sec/op"); err == nil {
			t.Errorf("%s: there is no error", name)
		}
	}
}

// The picture follows the page, names each line, and is the same each time.
func TestPlots(t *testing.T) {
	first, err := plots([]byte(numbersPage()))
	if err != nil {
		t.Fatal(err)
	}
	second, err := plots([]byte(numbersPage()))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(first, second) {
		t.Error("two pictures of one page differ")
	}
	for _, want := range []string{"ours, of JSON", "client-go, of ready objects", "100,000",
		"prefers-color-scheme:dark"} {
		if !strings.Contains(string(first), want) {
			t.Errorf("the picture has no %q", want)
		}
	}
}
