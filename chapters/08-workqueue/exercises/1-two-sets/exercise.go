// Package twosets is exercise 08.1: ⟨to be written⟩
package twosets

// Sum adds up the numbers. The sum of none is 0. ⟨to be written⟩ the real task.
func Sum(numbers []int) int {
	// TODO: add up the numbers
	return 0
}
