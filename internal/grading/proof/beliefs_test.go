package proof

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/grading/grader/gradertest"
)

const beliefTests = `package sum

const hang = "a loop " + "ends"

var about = map[string]string{"3": "the belief that the last number " + "does not count", "4": "four"}

const named, other = "what goes on", "not this"

func TestSum(t *testing.T) {
	exercise.Attempted(t, exercise.HangMeans(hang), exercise.LeakMeans("a goroutine ends"))
	v := exercise.Verdict{PointsTo: about["3"], Expected: "not this either"}
	v.PointsTo = named
	if n > 3 {
		v.PointsTo = "the belief that " + fmt.Sprint(n) + " is " + "more than 3"
	}
	help("the belief that a helper " + "knows")
	help("the belief that a helper knows")
	v.PointsTo, err = both()
}
`

// TestBeliefs: the texts are found where they stand, through names and concatenations.
func TestBeliefs(t *testing.T) {
	t.Parallel()
	e := gradertest.Exercises(t, gradertest.New(t), "98.1")[0]
	gradertest.Write(t, e.Dir()+"/exercise_test.go", beliefTests)
	all, err := beliefsOf(e)
	require.NoError(t, err)
	var texts []string
	for _, b := range all {
		texts = append(texts, b.String())
	}
	require.ElementsMatch(t, []string{
		"a loop ends", "a goroutine ends", "the belief that the last number does not count", "what goes on",
		"the belief that ... is more than 3", "the belief that a helper knows",
	}, texts)

	said := []string{
		"a loop ends", "a goroutine ends", "the belief that the last number does not count", "what goes on",
		"the belief that 7 is more than 3",
	}
	missing, err := unsaid(e, said)
	require.NoError(t, err)
	require.Equal(t, []string{"no wrong solution is told: the belief that a helper knows"}, missing)

	gradertest.Write(t, e.SolutionDir()+"/"+UnsaidFile,
		"# Only a wrong test could say it.\nthe belief that a helper\na loop\n\nno text\n")
	missing, err = unsaid(e, said)
	require.NoError(t, err)
	require.Equal(t, []string{"unsaid.txt lists what a wrong solution is told: a loop",
		"unsaid.txt lists what no test can say: no text"}, missing)
}
