// Package delays is exercise 08.2: ⟨to be written⟩
package delays

// Sum adds up the numbers. The sum of none is 0. ⟨to be written⟩ the real task.
func Sum(numbers []int) int {
	// TODO: add up the numbers
	return 0
}
