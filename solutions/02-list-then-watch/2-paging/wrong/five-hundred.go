// Breaks: Each request asks for at most limit objects, as long as no token was refused with a 410.
// Caught by: TestOnePage
// Message: request 1 asked for limit=500

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
	q := url.Values{"limit": {strconv.Itoa(500)}}
	for {
		p, err := get(ctx, client, collection+"?"+q.Encode())
		if expired(err) && q.Has("continue") {
			names, q = nil, url.Values{} // whole: a list of one page has no token that expires
			continue
		}
		if err != nil {
			return nil, "", err
		}
		for _, item := range p.Items {
			names = append(names, item.Metadata.Name)
		}
		if p.Metadata.Continue == "" {
			return names, p.Metadata.ResourceVersion, nil
		}
		q.Set("continue", p.Metadata.Continue)
	}
}
