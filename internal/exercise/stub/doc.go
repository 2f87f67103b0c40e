// Package stub turns a reference solution into the stub that a learner gets, and tells whether a learner has
// touched it.
//
// A reference marks what the learner is to write:
//
//	func Sum(numbers []int) int {
//		//solution:begin
//		//todo: add up the numbers
//		//todo: (an empty slice has the sum 0)
//		//stub: return 0
//		total := 0
//		for _, n := range numbers {
//			total += n
//		}
//		return total
//		//solution:end
//	}
//
// and the stub has instead
//
//	func Sum(numbers []int) int {
//		// TODO: add up the numbers
//		// (an empty slice has the sum 0)
//		return 0
//	}
//
// A region may also hold whole declarations. Imports that only a region needs are dropped from the stub.
package stub
