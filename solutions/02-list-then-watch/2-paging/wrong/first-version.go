// Misconception: all pages are of one resourceVersion, that of the first.
// Caught by: TestExpired
// Message: the belief that a list has the resourceVersion of its first page

//go:build wrong

package paging

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
)

func List(
	ctx context.Context, client *http.Client, collection string, limit int,
) (names []string, resourceVersion string, err error) {
	q := url.Values{"limit": {strconv.Itoa(limit)}}
	for {
		p, err := get(ctx, client, collection+"?"+q.Encode())
		if expired(err) && q.Has("continue") {
			names, q = nil, url.Values{} // whole: a list of one page has no token that expires
			continue
		}
		if err != nil {
			return nil, "", err
		}
		if resourceVersion == "" {
			resourceVersion = p.Metadata.ResourceVersion
		}
		for _, item := range p.Items {
			names = append(names, item.Metadata.Name)
		}
		if p.Metadata.Continue == "" {
			return names, resourceVersion, nil
		}
		q.Set("continue", p.Metadata.Continue)
	}
}
