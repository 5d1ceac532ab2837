//! Generates the JSON Schema of the JSON report, which `sitegate schema report` prints.

use crate::report::Report;
use sitegate_base::json_schema;

/// Returns the schema as shipped, in draft 7.
pub fn report_schema() -> String {
    json_schema::schema::<Report>()
}
