package faultserver

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// Resource is a resource of a cluster, and what else people call it.
type Resource struct {
	Name     string // as it stands in a path: "deployments"
	Group    string // "apps", "" for those below /api
	Singular string
	Kind     string
	Short    []string
	Listed   bool // it can be listed or watched
}

// full is the name with the group.
func (r Resource) full() string {
	if r.Group == "" {
		return r.Name
	}
	return r.Name + "." + r.Group
}

// called says whether people call the resource so, though no path does.
func (r Resource) called(name string) bool {
	name, group, grouped := strings.Cut(name, ".")
	return (!grouped || group == r.Group) &&
		(name == r.Singular || name == strings.ToLower(r.Kind) || slices.Contains(r.Short, name))
}

// aggregated is the form of discovery in which an API server tells all its resources at once, since 1.27.
const aggregated = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList," +
	"application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList"

// Discover asks an API server which resources there are.
func Discover(ctx context.Context, client *http.Client, server *url.URL) ([]Resource, error) {
	var all []Resource
	for _, path := range []string{"/api", "/apis"} {
		some, err := discover(ctx, client, server.JoinPath(path).String())
		if err != nil {
			return nil, fmt.Errorf("which resources are there? %w", err)
		}
		all = append(all, some...)
	}
	return all, nil
}

func discover(ctx context.Context, client *http.Client, address string) (found []Resource, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	r.Header.Set("Accept", aggregated)
	resp, err := client.Do(r)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, err
	}
	var answer struct {
		Items []struct {
			Metadata struct{ Name string }
			Versions []struct {
				Resources []struct {
					Resource, SingularResource string
					ResponseKind               struct{ Kind string }
					ShortNames, Verbs          []string
				}
			}
		}
	}
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("GET %s: %s", address, resp.Status)
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		return nil, fmt.Errorf("GET %s: %w", address, err)
	}
	for _, group := range answer.Items {
		for _, version := range group.Versions {
			for _, one := range version.Resources {
				found = append(found, Resource{Name: one.Resource, Group: group.Metadata.Name,
					Singular: one.SingularResource, Kind: one.ResponseKind.Kind, Short: one.ShortNames,
					Listed: slices.Contains(one.Verbs, "list") || slices.Contains(one.Verbs, "watch")})
			}
		}
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("GET %s: it does not tell them in one answer, as API servers do since 1.27", address)
	}
	return found, nil
}

// version is the second part of what kubectl takes for a name: deployments.v1.apps.
var version = regexp.MustCompile(`^([a-z0-9-]+)\.v[0-9]+(?:(?:alpha|beta)[0-9]+)?(?:\.(.+))?$`)

// Resolve makes the names of a script those of the cluster's resources, also where it has a short one such as cm, and
// says what it made of them. A name that nobody can list or watch is refused, with the one to write if there is one
// near. One that has a group with a dot in it passes: such a resource may come later.
func (s Script) Resolve(there []Resource) (resolved Script, notes []string, err error) {
	resolved = s
	resolved.parts = slices.Clone(s.parts)
	names := []*string{&resolved.only}
	for i := range resolved.parts {
		names = append(names, &resolved.parts[i].resource)
	}
	for _, name := range names {
		if *name == "" {
			continue
		}
		found, note, err := resolve(*name, there)
		if err != nil {
			return s, nil, err
		}
		if note != "" && !slices.Contains(notes, note) {
			notes = append(notes, note)
		}
		*name = found
	}
	return resolved, notes, nil
}

// resolve is the name that a path has for what a script calls name.
func resolve(name string, there []Resource) (found, note string, err error) {
	var others []string // what the name may stand for
	unlisted := false
	for _, r := range there {
		switch {
		case matches(name, r.full()) && r.Listed:
			return name, "", nil
		case matches(name, r.full()):
			unlisted = true
		case r.called(name) && r.Listed && !slices.Contains(others, r.full()):
			others = append(others, r.full())
		}
	}
	switch {
	case unlisted:
		return "", "", fmt.Errorf("%s can neither be listed nor watched, so no fault can happen to it", name)
	case len(others) == 1:
		return others[0], fmt.Sprintf("%s is %s.", name, others[0]), nil
	case len(others) > 1:
		return "", "", fmt.Errorf("%s is %s: write which", name, strings.Join(others, " or "))
	}
	if parts := version.FindStringSubmatch(name); parts != nil {
		plain := strings.TrimSuffix(parts[1]+"."+parts[2], ".")
		if found, _, err := resolve(plain, there); err == nil {
			return "", "", fmt.Errorf("a script names a resource without its version: write %s, and not %s", found, name)
		}
	}
	short, group, _ := strings.Cut(name, ".")
	if strings.Contains(group, ".") {
		return name, fmt.Sprintf("The cluster has no %s yet.", name), nil
	}
	why := fmt.Errorf("the cluster has no resource %q", name)
	if near := nearest(short, there); near != "" {
		return "", "", fmt.Errorf("%w: is it %s?", why, near)
	}
	return "", "", fmt.Errorf("%w (one that comes later has its group with it: %s.example.com)", why, short)
}

// nearest is the full name of the resource that has a name which is spelled nearly so, if there is one.
func nearest(name string, there []Resource) (near string) {
	best := min(3, 1+len(name)/3) // foos is no misspelt pods
	for _, r := range there {
		for _, known := range append([]string{r.Name, r.Singular, strings.ToLower(r.Kind)}, r.Short...) {
			if d := distance(name, known); r.Listed && d < best {
				near, best = r.full(), d
			}
		}
	}
	return near
}

// distance is how many letters have to be put in, left out or replaced to make one word the other.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost = 1 + min(diagonal, row[j], row[j+1])
			}
			diagonal, row[j+1] = row[j+1], cost
		}
	}
	return row[len(b)]
}
