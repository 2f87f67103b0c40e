// Package recreated is exercise 07.3: ⟨to be written⟩
package recreated

// Sum adds up the numbers. The sum of none is 0. ⟨to be written⟩ the real task.
func Sum(numbers []int) int {
	// TODO: add up the numbers
	return 0
}
