// Package backoff is exercise 08.3: ⟨to be written⟩
package backoff

// Sum adds up the numbers. The sum of none is 0. ⟨to be written⟩ the real task.
func Sum(numbers []int) int {
	// TODO: add up the numbers
	return 0
}
