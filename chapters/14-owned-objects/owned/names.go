package owned

import (
	"strconv"
	"strings"
	"sync"

	"k8s.io/apimachinery/pkg/types"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
)

// NextNumber is the annotation of a set with the first number that none of its children has had.
const NextNumber = "scratch.example.com/next"

// Name is what the child with a number is called.
func Name(set string, number int) string { return set + "-" + strconv.Itoa(number) }

// Number is the number in the name of a set's child. Somebody else may have called something "web-blue", or "web-07".
func Number(set, name string) (number int, ok bool) {
	text, ok := strings.CutPrefix(name, set+"-")
	if !ok {
		return 0, false
	}
	number, err := strconv.Atoi(text)
	return number, err == nil && number >= 0 && strconv.Itoa(number) == text
}

// Next is the first number that no child has had, as the set says. A set that says nothing has had none; so has one
// whose annotation somebody has broken, which costs a few requests that are refused.
func Next(set *v1alpha1.ProcessSet) int {
	next, err := strconv.Atoi(set.Annotations[NextNumber])
	if err != nil || next < 0 {
		return 0
	}
	return next
}

// Numbers remembers how far the numbers of each set have come in what the cache has shown. The zero value remembers
// nothing.
type Numbers struct {
	lock sync.Mutex // guards next
	next map[types.UID]int
}

// Shown notes a child of a set.
func (n *Numbers) Shown(set types.UID, name, child string) {
	number, ok := Number(name, child)
	if !ok {
		return
	}
	n.lock.Lock()
	defer n.lock.Unlock()
	if n.next == nil {
		n.next = map[types.UID]int{}
	}
	n.next[set] = max(n.next[set], number+1)
}

// Next is the first number that no child has had, as far as the cache has shown.
func (n *Numbers) Next(set types.UID) int {
	n.lock.Lock()
	defer n.lock.Unlock()
	return n.next[set]
}

// Forget forgets a set.
func (n *Numbers) Forget(set types.UID) {
	n.lock.Lock()
	defer n.lock.Unlock()
	delete(n.next, set)
}
