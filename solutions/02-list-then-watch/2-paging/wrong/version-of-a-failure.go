// Breaks: A List that fails returns no names, no resourceVersion, and the error of get, which it may wrap.
// Caught by: TestRefused
// Message: the resourceVersion "30"

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
			return nil, resourceVersion, err
		}
		for _, item := range p.Items {
			names = append(names, item.Metadata.Name)
		}
		if p.Metadata.Continue == "" {
			return names, p.Metadata.ResourceVersion, nil
		}
		resourceVersion = p.Metadata.ResourceVersion
		q.Set("continue", p.Metadata.Continue)
	}
}
