package workqueue

// Sum adds up the numbers. The sum of none is 0. ⟨to be written⟩ Upstream:
func Sum(numbers []int) int {
	total := 0
	for _, n := range numbers {
		total += n
	}
	return total
}
