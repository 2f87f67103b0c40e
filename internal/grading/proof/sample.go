package proof

import (
	"hash/fnv"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/grading/grader"
)

// Sample chooses, of the exercises that present says are as they were when they were proven, the reference, and one of
// n of all other solutions. Another day another part is chosen, so that in n days each has been run. Of all other
// exercises it chooses everything.
//
// Where the grader alone has changed all exercises count as proven: then their samples are what looks for an error in
// it, beside its own tests.
func Sample(present map[string]string, n, day int) func(grader.Exercise, Solution) bool {
	return func(e grader.Exercise, s Solution) bool {
		then, err := ReadProven(e)
		if err != nil || then == "" || then != present[e.ID] || s.Name == reference {
			return true
		}
		h := fnv.New32a()
		_, _ = h.Write([]byte(e.ID + " " + s.Name)) // does not fail
		return (int(h.Sum32()%uint32(n))+day)%n == 0
	}
}
