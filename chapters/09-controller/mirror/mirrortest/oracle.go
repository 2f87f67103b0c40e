package mirrortest

import (
	"fmt"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/09-controller/mirror"
)

// State is what a server has: all namespaces and all ConfigMaps.
type State struct {
	Namespaces []corev1.Namespace
	ConfigMaps []corev1.ConfigMap
}

// Wrong says of each place in which way it is not as the rules have it, or is empty. It goes over everything at once,
// and knows nothing of how a controller does it.
func (s State) Wrong(group string) (problems []string) {
	standing, winners := s.places(), s.winners(group)
	wanted := map[mirror.Key]*corev1.ConfigMap{}
	for _, n := range s.Namespaces {
		if n.Labels[mirror.Group] != group || n.DeletionTimestamp != nil {
			continue
		}
		for name, source := range winners {
			if source.Namespace != n.Name {
				wanted[mirror.Key{Namespace: n.Name, Name: name}] = source
			}
		}
	}
	for place, source := range wanted {
		if there := standing[place]; there == nil {
			problems = append(problems, fmt.Sprintf("%s has no mirror of %s/%s", place, source.Namespace, source.Name))
		} else if isMirror(there, group) {
			problems = append(problems, differences(place, there, source)...)
		}
	}
	for place, there := range standing {
		if wanted[place] == nil && isMirror(there, group) && there.DeletionTimestamp == nil {
			problems = append(problems, fmt.Sprintf("%s is a mirror that nobody wants", place))
		}
	}
	slices.Sort(problems)
	return problems
}

func (s State) places() map[mirror.Key]*corev1.ConfigMap {
	all := map[mirror.Key]*corev1.ConfigMap{}
	for i := range s.ConfigMaps {
		c := &s.ConfigMaps[i]
		all[mirror.Key{Namespace: c.Namespace, Name: c.Name}] = c
	}
	return all
}

// winners are the sources by name: of several, the one whose namespace sorts first.
func (s State) winners(group string) map[string]*corev1.ConfigMap {
	all := map[string]*corev1.ConfigMap{}
	for i := range s.ConfigMaps {
		c := &s.ConfigMaps[i]
		if c.Labels[mirror.Group] != group || c.Labels[mirror.Role] != mirror.Source {
			continue
		}
		if before := all[c.Name]; before == nil || c.Namespace < before.Namespace {
			all[c.Name] = c
		}
	}
	return all
}

func isMirror(c *corev1.ConfigMap, group string) bool {
	return c.Labels[mirror.Group] == group && c.Labels[mirror.Role] == mirror.Mirror
}

// differences are those between a mirror and its source.
func differences(place mirror.Key, there, source *corev1.ConfigMap) (problems []string) {
	if !maps.Equal(there.Data, source.Data) {
		problems = append(problems, fmt.Sprintf("%s has the data %v, and its source %v", place, there.Data,
			source.Data))
	}
	if !maps.EqualFunc(there.BinaryData, source.BinaryData, slices.Equal) {
		problems = append(problems, fmt.Sprintf("%s has other binary data than its source", place))
	}
	if of, want := there.Annotations[mirror.Of], source.Namespace+"/"+source.Name; of != want {
		problems = append(problems, fmt.Sprintf("%s says that it is of %q, and is of %s", place, of, want))
	}
	return problems
}

// Foreign are the objects that are no mirrors, by UID: with the version that somebody else has given them.
func (s State) Foreign(group string) map[types.UID]string {
	all := map[types.UID]string{}
	for i := range s.ConfigMaps {
		if c := &s.ConfigMaps[i]; !isMirror(c, group) {
			all[c.UID] = fmt.Sprintf("%s/%s at resourceVersion %s", c.Namespace, c.Name, c.ResourceVersion)
		}
	}
	return all
}

// Touched says what a controller has done to objects that are not its own, whose foreign were before and after, while
// nobody else has written.
func Touched(before, after map[types.UID]string) (problems []string) {
	for uid, was := range before {
		if is, ok := after[uid]; !ok {
			problems = append(problems, fmt.Sprintf("%s is no mirror, and is gone", was))
		} else if is != was {
			problems = append(problems, fmt.Sprintf("%s is no mirror, and was written: it is now %s", was, is))
		}
	}
	slices.Sort(problems)
	return problems
}
