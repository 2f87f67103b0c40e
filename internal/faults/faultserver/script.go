package faultserver

import (
	"errors"
	"fmt"
	"hash/fnv"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/faults"
)

// Script says what goes wrong with the requests for each resource.
type Script struct {
	parts []part
	seed  *uint64
	only  string // the resource that a seed is for, "" for each
}

// part is one fault of a written script.
type part struct {
	resource string // "" for each resource
	fault    faults.Fault
}

// String writes the part as Parse reads it.
func (p part) String() string { return strings.TrimSpace(p.resource + " " + p.fault.String()) }

// seededRequests is how many requests for a resource a seed spoils: enough for each kind to come up.
const seededRequests = 20

// seededStall is how long a stall of a seed lasts: longer than a client's timeout for what is no watch, and short
// enough to wait for.
const seededStall = 20 * time.Second

// resourceName is what a script can call a resource: its name in a path, and perhaps its group.
var resourceName = regexp.MustCompile(`^[a-z][a-z0-9-]*(\.[a-z0-9-]+)*$`)

// Parse reads a script: faults as [faults.Parse] reads them, each with a resource in front, or without one for every
// resource that is asked for. only, if it is not empty, is the resource of those without.
func Parse(text, only string) (Script, error) {
	var s Script
	if err := checkResource(only); err != nil {
		return s, err
	}
	for _, words := range strings.FieldsFunc(text, func(r rune) bool { return r == ';' || r == '\n' }) {
		resource, rest, err := splitResource(words)
		if err != nil {
			return s, err
		}
		written, err := faults.Parse(rest)
		if err != nil {
			return s, err
		}
		for _, f := range written {
			if resource == "" {
				resource = only
			}
			s.parts = append(s.parts, part{resource, f})
		}
	}
	if len(s.parts) == 0 {
		return s, errors.New("the script has no fault in it")
	}
	return s, nil
}

// splitResource takes the resource off a fault, if it has one: "configmaps 2.3 cut".
func splitResource(text string) (resource, rest string, err error) {
	words := strings.Fields(text)
	if len(words) < 2 || !begins(words[1]) || begins(words[0]) {
		return "", text, nil
	}
	if err := checkResource(words[0]); err != nil {
		return "", "", fmt.Errorf("fault %q: %w", strings.TrimSpace(text), err)
	}
	return words[0], strings.Join(words[1:], " "), nil
}

// begins says whether a word begins with a digit, as the place of a fault does.
func begins(word string) bool { return word[0] >= '0' && word[0] <= '9' }

func checkResource(name string) error {
	if name != "" && !resourceName.MatchString(name) {
		return fmt.Errorf("%q is no resource's name: want one such as configmaps or deployments.apps", name)
	}
	return nil
}

// Seeded draws a script for each resource from a seed, or for the one that only names. A stall of it ends after
// seededStall: a client that waits for ever would see nothing of what comes after.
func Seeded(seed uint64, only string) (Script, error) {
	return Script{seed: &seed, only: only}, checkResource(only)
}

// concerns says whether anything can go wrong with a resource's requests: the others are not counted.
func (s Script) concerns(resource string) bool {
	if s.seed != nil {
		return matches(s.only, resource)
	}
	return len(s.forResource(resource)) > 0
}

// of is the script for the requests of one resource.
func (s Script) of(resource string) faults.Script {
	if s.seed == nil {
		return s.forResource(resource)
	}
	hash := fnv.New64a()
	_, _ = hash.Write([]byte(resource))
	return endingStalls{faults.Seeded(*s.seed^hash.Sum64(), seededRequests)}
}

// endingStalls is a script whose stalls end.
type endingStalls struct{ faults.Script }

// Faults returns what the script has for the request.
func (e endingStalls) Faults(request int, verb faults.Verb) []faults.Fault {
	found := slices.Clone(e.Script.Faults(request, verb))
	for i := range found {
		if found[i].Kind == faults.Stall {
			found[i].Lasts = seededStall
		}
	}
	return found
}

func (s Script) forResource(resource string) (written faults.Written) {
	for _, p := range s.parts {
		if matches(p.resource, resource) {
			written = append(written, p.fault)
		}
	}
	return written
}

// matches says whether a script's name for a resource, "deployments" or "deployments.apps", means that resource.
func matches(name, resource string) bool {
	short, _, _ := strings.Cut(resource, ".")
	return name == "" || name == resource || name == short
}
