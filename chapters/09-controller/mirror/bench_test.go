package mirror_test

import (
	"testing"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/09-controller/mirror"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/09-controller/mirror/mirrortest"
)

// benched are the two controllers: the same code on the book's parts and on client-go's.
var benched = []struct {
	impl       string
	controller mirrortest.Controller
}{
	{"ours", of(mirror.Options{Parts: mirror.Book(), Workers: 4})},
	{"upstream", of(mirror.Options{Parts: mirror.ClientGo(), Workers: 4})},
}

// BenchmarkConverge has a source change, and waits until all its mirrors have.
func BenchmarkConverge(b *testing.B) {
	for _, impl := range benched {
		b.Run("impl="+impl.impl, func(b *testing.B) { mirrortest.BenchmarkConverge(b, impl.controller) })
	}
}

// BenchmarkRepair has somebody change a mirror, and waits until it is repaired.
func BenchmarkRepair(b *testing.B) {
	for _, impl := range benched {
		b.Run("impl="+impl.impl, func(b *testing.B) { mirrortest.BenchmarkRepair(b, impl.controller) })
	}
}
