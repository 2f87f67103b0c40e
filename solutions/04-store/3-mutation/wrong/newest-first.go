// Breaks: Check compares each object that is watched with what it was, and returns a Mutation for each one that
// somebody wrote to, in the order in which they were added.
// Caught by: TestOrder
// Message: it reported milk@7, received by nobody; tea@7, received by nobody; beans@7, received by nobody; peas@7, received by nobody; soup@7, received by nobody

//go:build wrong

package mutation

func (d *Detector[T]) inOrder(a, b T) int { return d.watched[b].nth - d.watched[a].nth }
