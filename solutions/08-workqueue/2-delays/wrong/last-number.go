// Misconception: ⟨to be written⟩ the last number is the sum.
// Caught by: TestSum
// Message: the belief that the last number is the sum

//go:build wrong

package delays

// Sum gives the last number.
func Sum(numbers []int) int {
	if len(numbers) == 0 {
		return 0
	}
	return numbers[len(numbers)-1]
}
