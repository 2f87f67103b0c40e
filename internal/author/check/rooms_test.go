package check

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// goodRooms is a chapter with each room.
const goodRooms = `-- chapters/04-store/README.md --
-- chapters/04-store/UPSTREAM.md --
-- chapters/04-store/main.go --
package main

func main() { lab.Main(demo()) }

func demo() lab.Demo { return lab.Demo{Steps: steps()} }

func steps() []lab.Step { return nil }
-- chapters/04-store/setup.go --
package main

var words = map[string]string{}

type tour struct{ seed int }
-- chapters/04-store/step1_list.go --
package main

func (t *tour) list() {
	words := "a local one"
	words = "and its change"
	t.seed = len(words)
}
-- chapters/04-store/step2_add_many.go --
package main
-- chapters/04-store/faults.go --
package main
-- chapters/04-store/interactive.go --
package main
-- chapters/04-store/setup_test.go --
package main
-- chapters/04-store/demo_test.go --
package main
-- chapters/04-store/claims/doc.go --
package claims
-- chapters/04-store/claims/setup_test.go --
package claims
-- chapters/04-store/claims/two_words_test.go --
package claims
-- chapters/04-store/claims/transplant_test.go --
package claims
-- chapters/04-store/claims/testdata/recorded.txt --
-- chapters/04-store/mine/main.go --
package main
-- chapters/04-store/store/doc.go --
// Package store keeps objects.
//
// Reading order: store.go.
package store
-- chapters/04-store/store/storetest/suite.go --
package storetest
-- chapters/04-store/exercises/1-add/exercise.go --
package add
-- chapters/04-store/exercises/1-add/exercise_test.go --
package add
-- chapters/04-store/exercises/1-add/scene_test.go --
package add
-- chapters/04-store/exercises/1-add/HINTS.md --
`

func TestRooms(t *testing.T) {
	expect(t, roomsCheck, goodRooms)
	full := goodRooms
	for n := 3; n <= 14; n++ { // with what is there: 26
		full += fmt.Sprintf("-- chapters/04-store/step%d_more.go --\npackage main\n", n)
	}
	expect(t, roomsCheck, full)
	expect(t, roomsCheck, full+"-- chapters/04-store/step15_more.go --\npackage main\n",
		"chapters/04-store: the chapter's root has 27 files and folders, and a screen has 26")
	for _, test := range []struct {
		name, old, new string
		want           []string
	}{
		{"no reference", "UPSTREAM.md", "REFERENCE.md",
			[]string{"REFERENCE.md: is no room of a chapter", "UPSTREAM.md: the chapter has none"}},
		{"no mine", "mine/main.go", "mine/other.go", []string{"mine/main.go: the chapter has none"}},
		{"no demo test", "demo_test.go", "step3_x.go", []string{"demo_test.go: the chapter has none"}},
		{"claims at the root", "claims/two_words_test.go", "claims_two_words_test.go",
			[]string{"claims_two_words_test.go: is no room of a chapter"}},
		{"a transplant at the root", "claims/transplant_test.go", "transplant_test.go",
			[]string{"chapters/04-store/transplant_test.go: is no room of a chapter"}},
		{"no claims", "claims/doc.go", "claims/text_test.go", []string{"claims/doc.go: the chapter has none"}},
		{"what claims stand on", "claims/two_words_test.go", "claims/words.go",
			[]string{"claims/words.go: is no test of claims"}},
		{"setup of another name", "setup_test.go", "main_test.go",
			[]string{"main_test.go: is no room", "main_test.go: TestMain has another place",
				"setup_test.go: the chapter has none"}},
		{"TestMain of a mechanism", "store/storetest/suite.go", "store/main_test.go",
			[]string{"store/main_test.go: TestMain has another place"}},
		{"no step", "step1_list.go", "step3_list.go", []string{
			"chapters/04-store: the chapter has no step1_NAME.go",
			"chapters/04-store: there is a step 3 and no step 1"}},
		{"a step twice", "step1_list.go", "step2_list.go", []string{
			"the chapter has no step1_NAME.go", "there is a step 2 and no step 1",
			"step2_list.go: step 2 is step2_add_many.go already"}},
		{"a platform", "step2_add_many.go", "step2_add_linux.go",
			[]string{"step2_add_linux.go: the name's last word is a platform"}},
		{"a file of its own", "interactive.go", "server.go", []string{"server.go: is no room of a chapter"}},
		{"no reading order", "// Reading order: store.go.\n", "", []string{"store/doc.go: says no order of reading"}},
		{"no doc", "store/doc.go", "store/store.go", []string{"store: is a folder without a doc.go"}},
		{"no hints", "1-add/HINTS.md", "1-add/README.md",
			[]string{"HINTS.md: the exercise has none", "README.md: is no file of an exercise"}},
		{"no stub", "1-add/exercise.go", "1-add/scene_test.go",
			[]string{"exercise.go: the exercise has none"}},
		{"no graded tests", "1-add/exercise_test.go", "1-add/stages_test.go",
			[]string{"1-add/stage1_test.go: the exercise has none", "stages_test.go: is no file of an exercise"}},
		{"no exercise", "exercises/1-add/scene_test.go", "exercises/scene_test.go",
			[]string{"exercises/scene_test.go: is in no exercise"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			require.Contains(t, goodRooms, test.old)
			broken := strings.Replace(goodRooms, test.old, test.new, 1)
			expect(t, roomsCheck, broken, test.want...)
		})
	}
}
