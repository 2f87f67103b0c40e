package scenario

import (
	"slices"
	"strings"
	"sync"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/14-owned-objects/owned"
)

// Way is a way to know how many children there are.
type Way struct {
	Name string
	// Parts are its own, for one controller.
	Parts func() owned.Parts
	// Versions gives it a memory of versions, over the manager's caches.
	Versions bool
	// ReadYourWrites is controller-runtime's option of its client.
	ReadYourWrites bool
}

// Ways are seven. All but the last choose victims by nothing, another one each time.
func Ways() []Way {
	return []Way{
		{Name: "the cache alone", Parts: part(nil)},
		{Name: "names", Parts: part(func(p *owned.Parts) { p.Generated = false })},
		{Name: "expectations", Parts: part(func(p *owned.Parts) { p.Memory = owned.NewExpectations(owned.Timeout) })},
		{Name: "a live list", Parts: part(func(p *owned.Parts) { p.Live = true })},
		{Name: "versions", Parts: part(nil), Versions: true},
		{Name: "read your writes", Parts: part(nil), ReadYourWrites: true},
		{Name: "names, expectations, rank", Parts: owned.Ours},
	}
}

// part is the controller that has nothing but generated names, with one change.
func part(change func(*owned.Parts)) func() owned.Parts {
	return func() owned.Parts {
		p := owned.Parts{Generated: true, Memory: owned.Nothing{}, Rank: byNothing()}
		if change != nil {
			change(&p)
		}
		return p
	}
}

// byNothing ranks in another order each time, and in three times has had each of five among the first three.
func byNothing() func([]*v1alpha1.Process) {
	var lock sync.Mutex
	times := 0
	return func(all []*v1alpha1.Process) {
		lock.Lock()
		defer lock.Unlock()
		// A cache lists in no order: by luck the same ones would come first again.
		slices.SortFunc(all, func(a, b *v1alpha1.Process) int { return strings.Compare(a.Name, b.Name) })
		turned := make([]*v1alpha1.Process, 0, len(all))
		for i := range all {
			turned = append(turned, all[(i+times)%len(all)])
		}
		copy(all, turned)
		times++
	}
}
