// Misconception: a name that is taken gets a number.
// Caught by: TestTheNames
// Message: the belief that a name is for people

//go:build wrong

package two

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"sigs.k8s.io/controller-runtime/pkg/manager"
)

func Add(m manager.Manager, notes ...Note) error {
	for _, note := range notes {
		err := add(m, note)
		for name := note.Name; err != nil; err = add(m, note) {
			if !strings.Contains(err.Error(), "already exists") {
				return err
			}
			note.Name = fmt.Sprintf("%s-%d", name, rand.Int()) // wrong: whose metrics are these?
		}
	}
	return nil
}
